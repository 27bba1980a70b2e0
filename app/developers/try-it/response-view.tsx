import { useEffect, useRef } from 'react';
import { Alert } from '../../_ui/alert.tsx';
import { pageOf } from '../../_ui/explore-address.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { Code } from '../code.tsx';
import type { Outcome } from './use-try-sending.ts';

/** Characters of a body that are shown. */
const MAX_SHOWN = 100_000;

/** The response to the last request, or why there is none. */
export function ResponseView({ outcome }: { outcome: Outcome | null }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (outcome) heading.current?.focus();
  }, [outcome]);

  return (
    <div aria-live="polite">
      {outcome && (
        <section className="space-y-4">
          <h3 ref={heading} tabIndex={-1} className="focus:outline-none">
            {outcome.state === 'answered' ? `Response: status ${outcome.status}` : 'No response'}
          </h3>
          {outcome.state === 'failed' ? <Alert tone="danger">{outcome.problem}</Alert> : <Answer answer={outcome} />}
        </section>
      )}
    </div>
  );
}

function Answer({
  answer: { error, transactionId, headers, text },
}: {
  answer: Extract<Outcome, { state: 'answered' }>;
}) {
  return (
    <>
      {error && (
        <Alert tone="danger" title={error.sentence}>
          <LocalLink
            href={`/developers/errors/${error.code}`}
            className="inline-block py-1 font-mono underline wrap-anywhere"
          >
            {error.code}
          </LocalLink>
        </Alert>
      )}
      {transactionId && (
        <Alert>
          Accepted and recorded.{' '}
          <LocalLink href={pageOf(transactionId)} className={textLink}>
            Show the entry in the explorer
          </LocalLink>
        </Alert>
      )}
      <dl className="text-sm">
        {headers.map(([name, value]) => (
          <div key={name} className="border-t border-line py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd translate="no" className="font-mono break-all">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {text !== '' && (
        <Code label={text.length > MAX_SHOWN ? 'Body (its beginning)' : 'Body'} code={text.slice(0, MAX_SHOWN)} />
      )}
    </>
  );
}
