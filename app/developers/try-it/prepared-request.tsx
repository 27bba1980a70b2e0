import { sha256 } from '#digests';
import { targetOf } from '../../../client/http.ts';
import type { SignedRequest } from '../../../client/sign.ts';
import { Button } from '../../_ui/button.tsx';
import { Code } from '../code.tsx';
import { curlCommand } from '../snippets/curl.ts';
import type { Prepared } from './request.ts';
import type { TryTarget } from './target.ts';

type PreparedRequestProps = {
  target: TryTarget;
  /** Null until it is signed, and while what is entered cannot be sent. */
  prepared: Prepared | null;
  /** The public URL of the service. */
  url: string;
  onPrepareAgain: () => void;
};

/** The request as it will be sent, step by step. */
export function PreparedRequest({ target, prepared, url, onPrepareAgain }: PreparedRequestProps) {
  if (!prepared) return <p className="text-muted">The request is shown here when the form is complete.</p>;
  const { request, signed } = prepared;
  const body = request.body ?? null;
  const curl = curlCommand({
    method: request.method,
    url: `${url}${targetOf(request)}`,
    headers: Object.entries(request.headers ?? {}),
    body,
    forInstitute: target.forInstitute,
  });
  return (
    <div className="min-w-0 space-y-4">
      {signed && <Signing signed={signed} onPrepareAgain={onPrepareAgain} />}
      {body !== null && <Code label="Body that is sent" code={body} />}
      <Code label="The same with curl" code={curl} what="command" />
    </div>
  );
}

function Signing({
  signed: { message, signature, timestamp },
  onPrepareAgain,
}: {
  signed: SignedRequest;
  onPrepareAgain: () => void;
}) {
  return (
    <>
      <Code label="Canonical message (UTF-8)" code={message} wrap />
      <Code label="SHA-256 of the message" code={sha256(message)} wrap what="hash" />
      <Code label="Signature (base64)" code={signature} wrap what="signature" />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          Signed at <time dateTime={timestamp}>{timestamp}</time>; valid once, for five minutes.
        </p>
        <Button look="secondary" onClick={onPrepareAgain}>
          Sign again
        </Button>
      </div>
    </>
  );
}
