import type { Failure } from '../../../_trpc/failure.ts';

/** What the submitter is given once, and nobody gives again. */
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
  /** Accepted, as a repetition has shown; the answer, with the salt, was lost. */
  | { readonly kind: 'acceptedUnseen'; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** No answer came, and it cannot be told whether it was accepted. */
  | { readonly kind: 'unknown'; readonly body: Body };

type Answered = { readonly ok: true; readonly receipt: Receipt } | { readonly ok: false; readonly failure: Failure };

export interface Means<Body> {
  /** Signs anew, with a nonce and a time of its own. */
  sign(): Promise<Body>;
  post(body: Body): Promise<Answered>;
  pause(ms: number): Promise<void>;
  /** Told of a wait that the limits ask for, in seconds. */
  onLimited(seconds: number): void;
  /** What was sent before and never answered. */
  readonly earlier?: Body | undefined;
}

/** Waits between repetitions while no answer comes, in ms. */
const PATIENCE = [1_000, 3_000, 8_000, 20_000];
const UNANSWERED = new Set(['UNREACHABLE', 'UNAVAILABLE', 'INTERNAL']);
const OUT_OF_TIME = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);
const MINUTE_S = 60;

/**
 * Sends one batch so that it is never taken twice: where no answer came, the very same signed request is repeated, whose nonce is
 * good for once and whose repetition tells what became of the first.
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
      // Refused the first time, or never looked at: signing anew cannot make it two.
      signedAgain = true;
      unanswered = 0;
      body = await sign();
    } else {
      return { kind: 'refused', failure };
    }
  }
}
