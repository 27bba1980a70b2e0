import type { ErrorCode } from './types.ts';

/** What the client itself finds; every other code is the server's (docs/api.md). */
export type ClientCode =
  /** The request cannot be signed: a value without one canonical form, an unknown field, a missing key or option. */
  | 'CANNOT_SIGN'
  /** An argument of another kind than the method takes. */
  | 'ARGUMENT_INVALID'
  /** No response arrived. */
  | 'NO_RESPONSE'
  /** A response that is not this API's, as from a proxy. */
  | 'UNEXPECTED_RESPONSE'
  /** A write was sent, and no response showed whether it was accepted. */
  | 'OUTCOME_UNKNOWN'
  /** waitUntilFinal reached its limit of time. */
  | 'NOT_FINAL_YET'
  /** A key file, recovery words or a seed that cannot be read. */
  | 'KEY_INVALID'
  /** A webhook that is not from the service, or not recent. */
  | 'WEBHOOK_INVALID'
  /** A SMART Health Link that cannot be read. */
  | 'LINK_INVALID'
  /** The content of a SMART Health Link was altered, or is not what the link promises. */
  | 'SHARE_INVALID'
  | IntegrityCode;

/** The server contradicts what it signed, or what was sent to it. */
export type IntegrityCode =
  /** The receipt is not a valid entry of this ledger, or not of the request that was sent. */
  | 'RECEIPT_INVALID'
  /** The entry is not the one that was asked for, or its description contradicts it. */
  | 'ENTRY_INVALID'
  /** The head is not signed by the relayer of this ledger. */
  | 'HEAD_INVALID'
  /** The ledger ends before an entry that was already verified. */
  | 'HEAD_STALE'
  /** A restore of the service left out an entry: one that this client had verified, or the one that the server returned. */
  | 'ENTRIES_ABANDONED'
  /** Two different entries at one place: the relayer signed two histories. */
  | 'LEDGER_FORKED'
  /** The server is not that of the ledger that the client trusts. */
  | 'LEDGER_CHANGED'
  /** A step of the check of a proof failed. */
  | 'PROOF_INVALID';

export type Details = Readonly<Record<string, unknown>>;

interface Facts {
  /** The HTTP status; null if the client found the error. */
  readonly status?: number | null;
  readonly details?: Details | undefined;
  readonly requestId?: string | null;
  /** Seconds after which the server asks to try again. */
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** Every error of this package, except the reason of an aborted signal. */
export class PerpetuaError extends Error {
  override readonly name: string = 'PerpetuaError';
  readonly code: ErrorCode | ClientCode;
  readonly status: number | null;
  readonly details: Details;
  /** Quote it when you report a problem to the operator. */
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(code: ErrorCode | ClientCode, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? null;
    this.details = facts.details ?? {};
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** The server lies, or its data was altered. `details` contains what it returned: keep it as evidence. */
export class IntegrityError extends PerpetuaError {
  override readonly name = 'IntegrityError';
  declare readonly code: IntegrityCode;

  constructor(code: IntegrityCode, message: string, details: Details) {
    super(code, message, { details });
  }
}
