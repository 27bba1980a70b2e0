import type { Metadata } from 'next';
import { getContext } from '../../../server/http/context.ts';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { publicMetadata } from '../../_ui/page-metadata.ts';
import { textLink } from '../../_ui/text-link.ts';
import { Text } from '../code.tsx';
import { nameOf } from '../snippets/example-request.ts';
import { CheckForm } from './check-form.tsx';

const TITLE = 'Why is my signature invalid?';
const LEAD =
  'Enter a request to see the message that the service would verify, its SHA-256, and the first byte that differs from yours, in most cases from the key, the signature and the request alone. The check runs in your browser; nothing is sent.';

export const metadata: Metadata = publicMetadata(TITLE, LEAD);

const STEPS = [
  'Compare `details.expected_key` of the error `INVALID_SIGNATURE` with your public key. If it is another one, an old or wrong key signed.',
  'Compute the SHA-256 of the bytes that you signed, and compare it with `details.message_sha256`. If they are equal, the key or the encoding of the signature is wrong; if not, the message is.',
  'Compare the messages: `function` is in yours, the members are sorted at every depth, there is no white space, numbers are written as in JavaScript, texts are not escaped beyond what JSON needs, and each value is the one that you send.',
  'Check the encoding of the signature: 64 bytes in base64 with padding, 88 characters.',
] as const;

/** Finds out why a signature is refused. */
export default function SignaturePage() {
  const { operations } = describedApi();
  const isFirst = (operation: (typeof operations)[number]) => nameOf(operation) === operation.id;
  const functions = operations
    .filter(isFirst)
    .flatMap(({ id, title, signed }) =>
      signed ? [{ id, title, function: signed.function, members: signed.members, unsigned: signed.unsigned }] : [],
    );
  const example = operations.find(({ id }) => id === 'createBEO')?.example ?? {};
  return (
    <>
      <h1>{TITLE}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{LEAD}</p>
      <CheckForm
        functions={functions}
        ledgerId={getContext().ledgerId}
        example={{
          functionId: 'createBEO',
          body: JSON.stringify(example, null, 2),
          publicKey: String(example.publicKey ?? ''),
        }}
      />
      <section className="mt-12 max-w-prose">
        <h2>Without this form</h2>
        <ol className="mt-3 list-decimal space-y-2 pl-6">
          {STEPS.map((step) => (
            <li key={step}>
              <Text>{step}</Text>
            </li>
          ))}
        </ol>
        <p className="mt-4">
          <LocalLink href="/developers/errors/INVALID_SIGNATURE" className={textLink}>
            The error INVALID_SIGNATURE
          </LocalLink>
        </p>
      </section>
    </>
  );
}
