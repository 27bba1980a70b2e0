import type { SignedBody } from '../_keys/secret.ts';
import type { Failure } from '../_trpc/failure.ts';

export type Sent<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: Failure };

/** `answer` is null where the first request arrived and its response was lost. */
export type Outcome<Answer> =
  | Sent<Answer>
  | { readonly ok: true; readonly answer: null; readonly transactionId: string };

/** The signed bodies of the requests of this page without a response, by what they ask for. */
export type Unanswered = Map<string, SignedBody>;

interface Repeatable<Answer> {
  /** The key, the function and the fields. */
  readonly what: string;
  /** Signs with a new nonce and time. */
  sign(): Promise<SignedBody>;
  post(body: SignedBody): Promise<Sent<Answer>>;
  /** Whether doing it twice harms no one: it is then signed again where the first request is too old to be repeated. */
  readonly isHarmlessTwice: boolean;
}

/** The request may have been accepted all the same: the service answers UNAVAILABLE too if it lost its database while it stored it. */
const UNANSWERED = new Set(['UNREACHABLE', 'UNAVAILABLE', 'INTERNAL']);
/** The request was refused unread, which says nothing about an earlier one. */
const UNREAD = new Set(['RATE_LIMITED']);
const OUT_OF_TIME = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);

/** For where the lost response is needed. */
export const ARRIVED: Failure = { code: 'ARRIVED', message: '' };
/** The first request is too old to be repeated, and may have arrived. */
const UNCERTAIN: Failure = { code: 'UNCERTAIN', message: '' };

/**
 * Sends a request so that it is accepted at most once: one without a response is repeated with the same signature when it is asked
 * for again. Its nonce is valid once, so the response to the repetition shows whether the first was accepted. Signs once more where
 * this device's clock is wrong.
 */
export async function sendOnce<Answer>(
  unanswered: Unanswered,
  { what, sign, post, isHarmlessTwice }: Repeatable<Answer>,
): Promise<Outcome<Answer>> {
  const send = async (body: SignedBody): Promise<Sent<Answer>> => {
    const sent = await post(body);
    if (!sent.ok && UNANSWERED.has(sent.failure.code)) unanswered.set(what, body);
    else if (sent.ok || !UNREAD.has(sent.failure.code)) unanswered.delete(what);
    return sent;
  };
  const before = unanswered.get(what);
  const sent = await send(before ?? (await sign()));
  if (sent.ok) return sent;
  const { code, details } = sent.failure;
  const isReused = before !== undefined && code === 'NONCE_REUSED';
  const transactionId = details?.transactionId;
  if (isReused && typeof transactionId === 'string') return { ok: true, answer: null, transactionId };
  if (before && OUT_OF_TIME.has(code) && !isHarmlessTwice) return { ok: false, failure: UNCERTAIN };
  // The first request was refused or made no entry, so that a new signature cannot do it twice; or twice does no harm.
  return isReused || OUT_OF_TIME.has(code) ? send(await sign()) : sent;
}
