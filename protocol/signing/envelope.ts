import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { withErrorCode } from '../shapes.ts';
import { DATE_TIME, parseTimestamp } from '../time.ts';

const MIN_NONCE = 16;
const MAX_NONCE = 128;

const sentenceOf = (code: ErrorCode) => withErrorCode(code, ERRORS[code][1]);

/** Refuses a value with its own code before the schema describes the rest: see `required` in shapes.ts. */
const unless = <Schema extends z.ZodType>(problemOf: (value: unknown) => ErrorCode | null, schema: Schema) =>
  z.preprocess((value, context) => {
    const code = problemOf(value);
    if (code === null) return value;
    context.addIssue({ code: 'custom', ...sentenceOf(code) });
    return z.NEVER;
  }, schema);

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const nonce = unless(
  (value) => (isAbsent(value) ? 'NONCE_REQUIRED' : null),
  z
    .string({ error: 'must be a string' })
    .refine((text) => text.length >= MIN_NONCE, sentenceOf('NONCE_TOO_SHORT'))
    .refine((text) => text.length <= MAX_NONCE, `must have at most ${MAX_NONCE} characters`),
).meta({
  minLength: MIN_NONCE,
  maxLength: MAX_NONCE,
  description: 'A new random string for every request.',
});

const timestamp = unless(
  (value) => (typeof value === 'string' && parseTimestamp(value) !== null ? null : 'TIMESTAMP_INVALID'),
  z.string(),
).meta({
  format: 'date-time',
  pattern: DATE_TIME.source,
  description: 'When it was signed: ISO 8601 with a zone, at most 5 minutes old and 30 seconds ahead.',
});

const signature = unless(
  (value) => (isAbsent(value) ? 'SIGNATURE_MISSING' : typeof value === 'string' ? null : 'INVALID_SIGNATURE'),
  z.string(),
).meta({
  pattern: '^[A-Za-z0-9+/]{86}==$',
  description: 'The Ed25519 signature over the canonical message: 64 bytes in base64 with padding.',
});

const HEX = { error: 'must be 64 hex characters: the ledger_id that GET /api/ledger returns' };
const MISSING = 'is required here: sign the ledger_id that GET /api/ledger returns';

const ledgerId = z
  .string({ error: ({ input }) => (input === undefined ? MISSING : HEX.error) })
  .regex(/^[0-9a-fA-F]{64}$/, HEX)
  .meta({
    description: 'The request is then valid for this ledger only: `ledger_id` of GET /api/ledger. It is signed.',
  });

/** The members of a signed request besides its fields and hints. Protocol §1. */
export const ENVELOPE = z.object({ ledgerId: ledgerId.optional(), nonce, timestamp, signature });

/** The same, where every request must name the ledger. */
export const ENVELOPE_WITH_LEDGER = ENVELOPE.extend({ ledgerId });

export type EnvelopeField = keyof typeof ENVELOPE.shape;

export const ENVELOPE_FIELDS = Object.keys(ENVELOPE.shape) as EnvelopeField[];
