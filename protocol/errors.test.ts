import { describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode, ProtocolError, refusal } from './errors.ts';

/** The codes of protocol §5 by status. */
const DOCUMENT: Readonly<Record<number, string>> = {
  400: `VALIDATION_FAILED, INVALID_JSON, NONCE_REQUIRED, NONCE_TOO_SHORT, TIMESTAMP_INVALID, TIMESTAMP_TOO_OLD, TIMESTAMP_IN_FUTURE,
        PUBLIC_KEY_INVALID, DOMAIN_INVALID, DOMAIN_RESERVED, SCOPE_REQUIRED, CATEGORIES_REQUIRED, RECOVERY_THRESHOLD_INVALID, RECORDS_REQUIRED`,
  401: `SIGNATURE_MISSING, INVALID_SIGNATURE, SIGNATURE_DOES_NOT_COVER_RECORDS, CONSENT_REQUIRED, TOKEN_NOT_FOUND, TOKEN_REVOKED,
        TOKEN_EXPIRED, INSTITUTE_KEY_MISSING, INSTITUTE_KEY_INVALID, PASSCODE_INVALID`,
  403: `INTENT_NOT_AUTHORIZED, CATEGORY_NOT_AUTHORIZED, PERIOD_NOT_AUTHORIZED, RECORD_LIMIT_REACHED, CONSENT_LIMIT_REACHED, STORAGE_LIMIT_REACHED,
        SHARE_LIMIT_REACHED, INTENT_NOT_ALLOWED_FOR_TYPE, IEO_NOT_ACTIVE, NOT_TOKEN_OWNER`,
  404: 'BEO_NOT_FOUND, IEO_NOT_FOUND, PROPOSAL_NOT_FOUND, TRANSACTION_NOT_FOUND, LINK_NOT_FOUND, NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  409: `NONCE_REUSED, DOMAIN_TAKEN, PUBLIC_KEY_TAKEN, KEY_UNCHANGED, ALREADY_LOCKED, NOT_LOCKED, DUPLICATE_TOKEN, TOKEN_ALREADY_REVOKED,
        GUARDIAN_LIMIT, GUARDIAN_ROLE_TAKEN, ALREADY_CONFIRMED, ALREADY_APPROVED, RECOVERY_NOT_CONFIGURED, RECOVERY_COOLDOWN,
        WRONG_LEDGER`,
  410: 'BEO_DESTROYED, IEO_DESTROYED, LINK_EXPIRED, LINK_USED, REQUEST_CLOSED',
  422: 'RECORD_INVALID, TOO_MANY_RECORDS, IDEMPOTENCY_KEY_REUSED',
  423: 'BEO_LOCKED, IEO_LOCKED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL, INTEGRITY_FAILED',
  503: 'UNAVAILABLE',
};

const documented = Object.fromEntries(
  Object.entries(DOCUMENT).flatMap(([status, codes]) => codes.split(/,\s*/).map((code) => [code, Number(status)])),
);

describe('the table of errors', () => {
  test('has exactly the codes of the protocol with their status', () => {
    const table = Object.fromEntries(Object.entries(ERRORS).map(([code, [status]]) => [code, status]));
    expect(table, 'DOCUMENT above is the list of the protocol').toEqual(documented);
  });

  test.each(Object.entries(ERRORS))('%s has a sentence', (_, [, sentence]) => {
    expect(sentence).toMatch(/^[A-Z].{10,}\.$/);
  });
});

describe('refusal', () => {
  test('has the code, the status of the table and its sentence', () => {
    const error = refusal('BEO_LOCKED');
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      code: 'BEO_LOCKED',
      status: 423,
      message: 'The identity is locked.',
      details: undefined,
    });
  });

  test('accepts a more precise sentence and details', () => {
    const error = refusal('DUPLICATE_TOKEN', 'Granted a moment ago.', { token_id: 'tok_1' });
    expect(error).toMatchObject({ status: 409, message: 'Granted a moment ago.', details: { token_id: 'tok_1' } });
  });

  test('works for every code', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) expect(refusal(code).status).toBe(documented[code]);
  });
});
