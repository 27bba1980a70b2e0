import type { DetailsOf } from './error-details.ts';

/**
 * The table of error codes (protocol §5): the HTTP status and the default sentence. REST, tRPC and the OpenAPI document are
 * generated from it.
 */
export const ERRORS = {
  VALIDATION_FAILED: [400, 'The request does not have the form this operation needs.'],
  INVALID_JSON: [400, 'The body is not valid JSON in UTF-8.'],
  NONCE_REQUIRED: [400, 'A nonce is required: a new random string of 16 to 128 characters for every request.'],
  NONCE_TOO_SHORT: [400, 'The nonce must have at least 16 characters.'],
  TIMESTAMP_INVALID: [
    400,
    'The timestamp must be an ISO 8601 date and time with a zone, like 2026-01-31T12:00:00.000Z.',
  ],
  TIMESTAMP_TOO_OLD: [400, 'The timestamp is too old: a signed request is valid for 5 minutes. Sign it again.'],
  TIMESTAMP_IN_FUTURE: [400, 'The timestamp is in the future: check the clock of the device that signed.'],
  PUBLIC_KEY_INVALID: [400, 'The public key must be 64 hex characters that encode an Ed25519 point of prime order.'],
  DOMAIN_INVALID: [400, 'The domain is not valid.'],
  DOMAIN_RESERVED: [400, 'The domain contains a reserved word; choose another.'],
  SCOPE_REQUIRED: [400, 'A consent needs a scope.'],
  CATEGORIES_REQUIRED: [400, 'A consent needs at least one category.'],
  RECOVERY_THRESHOLD_INVALID: [400, 'The recovery threshold is always 2.'],
  RECORDS_REQUIRED: [400, 'At least one record is required.'],

  SIGNATURE_MISSING: [401, 'The request is not signed: a signature is required.'],
  INVALID_SIGNATURE: [401, 'The signature does not match this request and the expected key.'],
  SIGNATURE_DOES_NOT_COVER_RECORDS: [
    401,
    'The signature covers the number of records, not the records themselves. Sign the records; an operator who accepts such signatures sets ACCEPT_COUNT_ONLY_SUBMISSIONS=true.',
  ],
  CONSENT_REQUIRED: [401, 'A consent token is required.'],
  TOKEN_NOT_FOUND: [401, 'There is no such consent token.'],
  TOKEN_REVOKED: [401, 'The consent was withdrawn; ask for a new one.'],
  TOKEN_EXPIRED: [401, 'The consent has expired; ask for a new one.'],
  INSTITUTE_KEY_MISSING: [401, 'This operation needs an institute key.'],
  INSTITUTE_KEY_INVALID: [401, 'The institute key is not valid.'],
  PASSCODE_INVALID: [401, 'The passcode is missing or wrong.'],

  INTENT_NOT_AUTHORIZED: [403, 'The consent does not allow this.'],
  CATEGORY_NOT_AUTHORIZED: [403, 'The consent does not cover this category.'],
  PERIOD_NOT_AUTHORIZED: [403, 'The consent does not cover this period.'],
  RECORD_LIMIT_REACHED: [403, 'The consent allows no more records.'],
  CONSENT_LIMIT_REACHED: [403, 'An identity has at most 10,000 active consents; withdraw some first.'],
  SHARE_LIMIT_REACHED: [403, 'An identity has at most 20 live shares; stop one first.'],
  STORAGE_LIMIT_REACHED: [403, 'The storage limit of this service has been reached.'],
  INTENT_NOT_ALLOWED_FOR_TYPE: [403, 'An institution of this type cannot do this.'],
  IEO_NOT_ACTIVE: [403, 'The institution is not active.'],
  NOT_TOKEN_OWNER: [403, 'The consent token belongs to another identity.'],

  BEO_NOT_FOUND: [404, 'There is no such identity.'],
  IEO_NOT_FOUND: [404, 'There is no such institution.'],
  PROPOSAL_NOT_FOUND: [404, 'There is no such proposal.'],
  TRANSACTION_NOT_FOUND: [404, 'There is no such transaction.'],
  LINK_NOT_FOUND: [404, 'There is no such link; check that all of it was copied.'],
  NOT_FOUND: [404, 'There is nothing at this address.'],

  METHOD_NOT_ALLOWED: [405, 'This address does not support this method.'],
  BODY_TOO_LARGE: [413, 'The body is larger than this operation allows.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The body must be JSON, sent as application/json.'],

  NONCE_REUSED: [409, 'This key has already used this nonce; sign again with a new one.'],
  DOMAIN_TAKEN: [409, 'The domain is taken; choose another.'],
  PUBLIC_KEY_TAKEN: [409, 'This key is already in use in this identity; use another key.'],
  KEY_UNCHANGED: [409, 'The new key is the same as the current one.'],
  ALREADY_LOCKED: [409, 'It is already locked.'],
  NOT_LOCKED: [409, 'It is not locked.'],
  DUPLICATE_TOKEN: [409, 'An active consent with the same scope already exists; revoke that one first.'],
  TOKEN_ALREADY_REVOKED: [409, 'The consent has already been withdrawn.'],
  GUARDIAN_LIMIT: [409, 'An identity has at most three guardians; remove one first.'],
  GUARDIAN_ROLE_TAKEN: [409, 'This guardian role is taken; choose another, or remove that guardian.'],
  ALREADY_CONFIRMED: [409, 'This has already been confirmed.'],
  ALREADY_APPROVED: [409, 'This key has already approved; the second approval needs another key.'],
  RECOVERY_NOT_CONFIGURED: [409, 'This identity does not have two guardians who can recover it.'],
  RECOVERY_COOLDOWN: [409, 'The identity was recovered less than 24 hours ago; try again after the time in until.'],
  WRONG_LEDGER: [
    409,
    'The request is signed for another ledger; sign the ledger_id of this one, which GET /api/ledger returns.',
  ],

  BEO_DESTROYED: [410, 'The identity was destroyed.'],
  IEO_DESTROYED: [410, 'The institution was destroyed.'],
  LINK_EXPIRED: [410, 'This link has expired.'],
  LINK_USED: [410, 'This link has already been used.'],
  REQUEST_CLOSED: [410, 'This request is closed.'],

  RECORD_INVALID: [422, 'At least one record is not valid; none was stored.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This idempotency key was used for another request; choose a new one.'],
  TOO_MANY_RECORDS: [422, 'A batch holds at most 100 records.'],

  BEO_LOCKED: [423, 'The identity is locked.'],
  IEO_LOCKED: [423, 'The institution is locked.'],

  RATE_LIMITED: [429, 'Too many requests; wait a moment and try again.'],
  INTERNAL: [500, 'Something went wrong in the service. If you report it, quote the request id.'],
  INTEGRITY_FAILED: [
    500,
    'The stored data was altered or is incomplete, so it is not returned. If you report it, quote the request id.',
  ],
  UNAVAILABLE: [503, 'The service cannot take this request at the moment; try again shortly.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Any details, as they are returned; those of a code are DetailsOf. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error of the protocol; code, message and `details` are returned to the client. */
export class ProtocolError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails | undefined) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code][0];
  }
}

/** Checks the code, not the class: Next bundles its own copy of this module, so there are two classes. */
export const isRefusal = (value: unknown): value is ProtocolError =>
  value instanceof Error && 'code' in value && typeof value.code === 'string' && Object.hasOwn(ERRORS, value.code);

/** Creates the error for a code; the default message is the sentence of the table. */
export function refusal<Code extends ErrorCode>(
  code: Code,
  message?: string,
  details?: Readonly<DetailsOf<Code>>,
): ProtocolError {
  return new ProtocolError(code, message ?? ERRORS[code][1], details);
}
