import { useRef, useState } from 'react';
import { PerpetuaError } from '../../../client/errors.ts';
import { exchange, parsed } from '../../../client/http.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Prepared } from './request.ts';
import type { TryTarget } from './target.ts';
import { rememberIds } from './try-session.ts';

/** What came back. */
export type Outcome =
  | { readonly state: 'failed'; readonly problem: string }
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** JSON is indented. */
      readonly text: string;
      /** Null if the response is no error. */
      readonly error: { readonly code: string; readonly sentence: string } | null;
      /** The entry of an accepted operation. */
      readonly transactionId: string | null;
    };

const HEADERS = ['X-Request-Id', 'Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Content-Type', 'ETag'];
const TIMEOUT_MS = 30_000;
/** Requests are valid for five minutes. */
const MAX_AGE_MS = 4 * 60_000;

/** Sends what is shown; if it was sent before, or is old, it is signed again first. */
export function useSending({ effect }: TryTarget, prepareAgain: () => Promise<Prepared | null>) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSending, setIsSending] = useState(false);
  const sent = useRef<Prepared | null>(null);

  const isUsable = (prepared: Prepared): boolean =>
    prepared.signed === null ||
    (prepared !== sent.current && Date.now() - Date.parse(prepared.signed.timestamp) < MAX_AGE_MS);

  const send = async (shown: Prepared | null): Promise<void> => {
    setIsSending(true);
    try {
      const prepared = shown && isUsable(shown) ? shown : await prepareAgain();
      if (!prepared) return;
      sent.current = prepared;
      setOutcome(await outcomeOf(prepared, effect === 'entry'));
    } finally {
      setIsSending(false);
    }
  };

  return { outcome, isSending, send };
}

async function outcomeOf({ request }: Prepared, writesEntry: boolean): Promise<Outcome> {
  try {
    const { status, headers, text } = await exchange(fetch, location.origin, request, TIMEOUT_MS);
    const isError = status >= 400;
    const body = (parsed(text) ?? {}) as { error?: string; code?: string; transactionId?: string };
    const isAccepted = writesEntry && !isError;
    if (isAccepted) rememberIds(body as Json);
    return {
      state: 'answered',
      status,
      headers: HEADERS.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value] as const];
      }),
      text: formatted(text),
      error: isError && body.code ? { code: body.code, sentence: body.error ?? '' } : null,
      transactionId: (isAccepted && body.transactionId) || null,
    };
  } catch (error) {
    if (!(error instanceof PerpetuaError)) throw error;
    const unknown = writesEntry ? ' It may have been accepted all the same: look for it before you send it again.' : '';
    return { state: 'failed', problem: `${error.message}.${unknown}`.replace('..', '.') };
  }
}

function formatted(text: string): string {
  const value = parsed(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}
