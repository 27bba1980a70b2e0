import type { Failure } from '../../../_trpc/failure.ts';

/** What the submitter receives once and cannot request again. */
export interface Receipt {
  readonly transactionId: string;
  /** The signed data item, base64. */
  readonly receipt: string;
  /** Hex. */
  readonly salt: string;
  /** In the order of the records. */
  readonly recordIds: readonly string[];
}

export type Delivered<Body> =
  | { readonly kind: 'accepted'; readonly receipt: Receipt }
  /** Accepted, as a repetition has shown; the response with the salt was lost. */
  | { readonly kind: 'acceptedUnseen'; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** No response arrived: it may have been accepted. */
  | { readonly kind: 'unknown'; readonly body: Body };

type Answered = { readonly ok: true; readonly receipt: Receipt } | { readonly ok: false; readonly failure: Failure };

export interface Means<Body> {
  /** Signs with a new nonce and time. */
  sign(): Promise<Body>;
  post(body: Body): Promise<Answered>;
  pause(ms: number): Promise<void>;
  /** Receives the wait that a rate limit asks for, in seconds. */
  onLimited(seconds: number): void;
  /** The body of an earlier request without response. */
  readonly earlier?: Body | undefined;
}

/** The pauses between repetitions without response, in ms. */
const PATIENCE = [1_000, 3_000, 8_000, 20_000];
const UNANSWERED = new Set(['UNREACHABLE', 'UNAVAILABLE', 'INTERNAL']);
const OUT_OF_TIME = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);
const MINUTE_S = 60;

/**
 * Sends one batch so that it is never accepted twice: without a response, the same signed request is repeated. Its nonce is
 * valid once, so the response to the repetition shows whether the first was accepted.
 */
export async function deliver<Body>(means: Means<Body>): Promise<Delivered<Body>> {
  const { sign, post, pause, onLimited, earlier } = means;
  let body = earlier ?? (await sign());
  let unanswered = earlier ? 1 : 0;
  let signedAgain = false;
  for (;;) {
    const answered = await post(body);
    if (answered.ok) return { kind: 'accepted', receipt: answered.receipt };
    const { failure } = answered;
    const { code, details } = failure;
    if (code === 'RATE_LIMITED') {
      const seconds = typeof details?.retry_after_seconds === 'number' ? details.retry_after_seconds : MINUTE_S;
      onLimited(seconds);
      await pause(seconds * 1_000);
    } else if (UNANSWERED.has(code)) {
      const wait = PATIENCE[unanswered++];
      if (wait === undefined) return { kind: 'unknown', body };
      await pause(wait);
    } else if (code === 'NONCE_REUSED' && unanswered > 0 && typeof details?.transactionId === 'string') {
      return { kind: 'acceptedUnseen', transactionId: details.transactionId };
    } else if (OUT_OF_TIME.has(code) && unanswered > 0) {
      return { kind: 'unknown', body };
    } else if ((OUT_OF_TIME.has(code) || (code === 'NONCE_REUSED' && unanswered > 0)) && !signedAgain) {
      // The first request was refused or never processed: a new signature cannot submit twice.
      signedAgain = true;
      unanswered = 0;
      body = await sign();
    } else {
      return { kind: 'refused', failure };
    }
  }
}
