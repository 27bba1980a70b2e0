import { sha256 } from '#digests';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import { Code, Text } from '../code.tsx';
import type { ExampleRequest } from '../snippets/example-request.ts';

/** The canonical message of the example: what its signature covers. */
export function SignedMessage({
  operation: { signed },
  request,
}: {
  operation: ApiOperation;
  request: ExampleRequest;
}) {
  if (!signed || !('signature' in request.sent)) return null;
  const members = Object.entries(request.sent).filter(([name]) => signed.members.includes(name));
  const message = canonicalJson({ function: signed.function, ...Object.fromEntries(members) });
  return (
    <section className="mt-10">
      <h2>Message to sign</h2>
      <p className="mt-2 mb-4 max-w-prose">
        <Text>
          {
            'The canonical JSON (RFC 8785) of `function` and the signed members, in UTF-8. This is the message of the example below; it is signed with the public key of the test vectors.'
          }
        </Text>
      </p>
      <Code label="Canonical message" code={message} wrap />
      <p className="mt-3 text-sm wrap-anywhere">
        SHA-256: <code translate="no">{sha256(message)}</code>
      </p>
    </section>
  );
}
