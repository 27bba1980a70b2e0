import { z } from 'zod';
import { count, digest, time, tokenId, transactionId } from './response-shapes.ts';

const issues = z
  .array(
    z.object({ path: z.string().describe('Names joined by dots; empty for the whole body.'), message: z.string() }),
  )
  .readonly()
  .describe('What is wrong with each field; at most 20.');
/** Errors of one field are reported by the check of the form, too, with every other issue. */
const ofField = z.object({ issues: issues.exactOptional() });

const role = z.string().describe('The role of the guardian.');
const serverTime = z.object({ server_time: time.describe('The clock of the service.') });
const locked = z.object({ locked_at: time.nullable() });
const revoked = z.object({ revoked_at: time.nullable() });
const progress = { confirmations: count.exactOptional(), confirmations_needed: count.exactOptional() };

/** What `details` of an error contains, by its code. Other errors have none. */
export const ERROR_DETAILS = {
  VALIDATION_FAILED: z.object({ issues }),
  NONCE_REQUIRED: ofField,
  NONCE_TOO_SHORT: ofField,
  TIMESTAMP_INVALID: ofField,
  SIGNATURE_MISSING: ofField,
  SCOPE_REQUIRED: ofField,
  CATEGORIES_REQUIRED: ofField,
  RECORDS_REQUIRED: ofField,
  CONSENT_REQUIRED: ofField,
  RECOVERY_THRESHOLD_INVALID: ofField,
  TIMESTAMP_TOO_OLD: serverTime,
  TIMESTAMP_IN_FUTURE: serverTime,
  INVALID_SIGNATURE: z.object({
    issues: issues.exactOptional(),
    expected_key: z.string().exactOptional().describe('Whose key must sign: a field, BEO, IEO, grantee or guardian.'),
    message_sha256: digest.exactOptional().describe('The hex SHA-256 of the canonical message that was checked.'),
  }),
  SIGNATURE_DOES_NOT_COVER_RECORDS: z.object({
    setting: z.string().describe('The setting with which the operator can accept such signatures.'),
  }),
  NONCE_REUSED: z.object({
    transactionId: transactionId.nullable().describe('The entry of the first use; null if it made none.'),
  }),
  PASSCODE_INVALID: z.object({ remainingAttempts: count.describe('Also beside `details`, where HL7 wants it.') }),
  IDEMPOTENCY_KEY_REUSED: z.object({ transactionId: z.string().describe('The entry of the first decision.') }),
  WRONG_LEDGER: z.object({ ledger_id: digest.describe('The ledger of this service.') }),
  PUBLIC_KEY_TAKEN: z.object({ role: role.exactOptional() }),
  GUARDIAN_ROLE_TAKEN: z.object({ role }),
  DUPLICATE_TOKEN: z.object({ token_id: tokenId }),
  TOKEN_REVOKED: revoked,
  TOKEN_ALREADY_REVOKED: revoked,
  TOKEN_EXPIRED: z.object({ expired_at: time.nullable() }),
  BEO_LOCKED: locked,
  ALREADY_LOCKED: locked,
  ALREADY_CONFIRMED: z.object({
    confirmed_at: time.nullable().exactOptional(),
    required_since: time.nullable().exactOptional(),
    ...progress,
  }),
  RECOVERY_COOLDOWN: z.object({ until: time.describe('When it is possible again.') }),
  LINK_EXPIRED: z.object({
    reason: z.enum(['SUPERSEDED', 'DESTROYED', 'RESTORED']).exactOptional().describe('Absent if its time ended.'),
    expires_at: time.exactOptional().describe('When its time ended.'),
  }),
  LINK_USED: z.object(progress),
  REQUEST_CLOSED: z.object({
    recovered_at: time.nullable().exactOptional(),
    cancelled_at: time.exactOptional().describe('When the holder cancelled it.'),
  }),
  CATEGORY_NOT_AUTHORIZED: z.object({
    category: z.string().exactOptional().describe('What the consent does not cover.'),
    level: z.string().exactOptional().describe('What the consent does not cover.'),
  }),
  PERIOD_NOT_AUTHORIZED: z.object({
    period: z.object({ from: time.nullable(), to: time.nullable() }).nullable().describe('That of the consent.'),
  }),
  RECORD_LIMIT_REACHED: z.object({ max_records: count, submitted: count }),
  STORAGE_LIMIT_REACHED: z.object({
    quota: z.enum(['BEO', 'IEO', 'SERVICE']).describe('Whose limit it is.'),
    limit: count.describe('Bytes.'),
    used: count.describe('Bytes.'),
  }),
  RECORD_INVALID: z.object({
    records: z
      .array(z.object({ index: count.describe('From 0.'), path: z.string(), message: z.string() }))
      .readonly()
      .describe('What is wrong with each record.'),
  }),
  TOO_MANY_RECORDS: z.object({ records: count, most: count }),
  BODY_TOO_LARGE: z.object({ max_bytes: count }),
  METHOD_NOT_ALLOWED: z.object({ allow: z.string().describe('The methods that the address accepts, as in `Allow`.') }),
  RATE_LIMITED: z.object({ retry_after_seconds: count }),
};

type Table = typeof ERROR_DETAILS;

/** The details of an error with a code; `never` if it has none. */
export type DetailsOf<Code extends string> = Code extends keyof Table ? z.input<Table[Code]> : never;
