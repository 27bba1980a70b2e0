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
  /** A repetition showed that it was accepted; the response with the salt was lost. */
  | { readonly kind: 'acceptedUnseen'; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** No response arrived: it may have been accepted. */
  | { readonly kind: 'unknown'; readonly body: Body };

type PostResult = { readonly ok: true; readonly receipt: Receipt } | { readonly ok: false; readonly failure: Failure };

export interface Delivery<Body> {
  /** Signs with a new nonce and time. */
  sign(): Promise<Body>;
  post(body: Body): Promise<PostResult>;
  pause(ms: number): Promise<void>;
  /** Receives the wait that a rate limit asks for, in seconds. */
  onLimited(seconds: number): void;
  /** The body of an earlier request that got no response. */
  readonly unansweredBody?: Body | undefined;
}

/** The pauses before each repetition of a request without response, in ms. */
const RETRY_PAUSES = [1_000, 3_000, 8_000, 20_000];
const UNANSWERED = new Set(['UNREACHABLE', 'UNAVAILABLE', 'INTERNAL']);
const OUT_OF_TIME = new Set(['TIMESTAMP_TOO_OLD', 'TIMESTAMP_IN_FUTURE']);
const MINUTE_S = 60;

/**
 * Sends one batch so that it is accepted at most once: without a response, the same signed request is repeated. Its nonce is
 * valid once, so the response to the repetition shows whether the first was accepted.
 */
export async function deliver<Body>(delivery: Delivery<Body>): Promise<Delivered<Body>> {
  const { sign, post, pause, onLimited, unansweredBody } = delivery;
  let body = unansweredBody ?? (await sign());
  let unanswered = unansweredBody ? 1 : 0;
  let signedAgain = false;
  for (;;) {
    const response = await post(body);
    if (response.ok) return { kind: 'accepted', receipt: response.receipt };
    const { failure } = response;
    const { code, details } = failure;
    if (code === 'RATE_LIMITED') {
      const seconds = typeof details?.retry_after_seconds === 'number' ? details.retry_after_seconds : MINUTE_S;
      onLimited(seconds);
      await pause(seconds * 1_000);
    } else if (UNANSWERED.has(code)) {
      const wait = RETRY_PAUSES[unanswered++];
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
