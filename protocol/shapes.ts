import { z } from 'zod';
import { CONTACT_PROBLEMS, contactUrlProblem } from './entities/contacts.ts';
import { GUARDIAN_ROLES, type GuardianRole, THRESHOLD } from './entities/guardian.ts';
import type { ErrorCode } from './errors.ts';
import { ID_PATTERNS, isTokenId, isTransactionId, isUuid } from './ids.ts';
import { hasInvisible } from './invisible.ts';
import { DATE_TIME, INSTANT_PROBLEMS, parseInstant } from './time.ts';

/** Options for a zod issue that is reported with its own error code instead of VALIDATION_FAILED. */
export const withErrorCode = (code: ErrorCode, message: string) => ({ message, params: { code } });

/**
 * A value that must be present and neither null nor an empty list; otherwise the request fails with `code`. A preprocess step,
 * because a JSON Schema describes only what comes after one.
 */
export const required = <Schema extends z.ZodType>(code: ErrorCode, schema: Schema) =>
  z.preprocess((value, context) => {
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) return value;
    context.addIssue({ code: 'custom', ...withErrorCode(code, 'is required') });
    return z.NEVER;
  }, schema);

const DESCRIBED_BY = new WeakMap<z.core.$ZodType, z.ZodType>();

/** Declares that `accepted` describes for people and programs what `schema`, which no JSON Schema can express, accepts. */
export function describedBy<Schema extends z.ZodType>(schema: Schema, accepted: z.ZodType): Schema {
  DESCRIBED_BY.set(schema, accepted);
  return schema;
}

export const descriptionOf = (schema: z.core.$ZodType): z.ZodType | undefined => DESCRIBED_BY.get(schema);

const { uuid: UUID, transactionId: TRANSACTION_ID } = ID_PATTERNS;

export const publicKey = z
  .string({ error: 'must be a public key: 64 hex characters' })
  .meta({ pattern: '^[0-9a-fA-F]{64}$', description: 'An Ed25519 public key: 64 hex characters.' });

export const domain = z.string({ error: 'must be a domain' }).meta({
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9-]+$',
  maxLength: 64,
  description: 'A domain, like maria.bsp.',
});

const DOMAIN_LIKE = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** A reference to an entity: a UUID, the id of the creating transaction, or a domain. Protocol §2. */
export const entityReference = z
  .string({ error: 'must be an id, the id of the creating transaction, or a domain' })
  .refine((text) => isUuid(text) || isTransactionId(text) || (text.length <= 64 && DOMAIN_LIKE.test(text)), {
    message: 'must be a UUID, a transaction id of 43 characters, or a domain',
  })
  .meta({
    pattern: `^(${UUID}|${TRANSACTION_ID}|[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+)$`,
    maxLength: 64,
    description: 'A UUID, the id of the transaction that created it, or its domain.',
  });

/** A consent token's id: `tok_` and a UUID, or the id of the transaction that granted it. Protocol §2. */
export const tokenReference = z
  .string({ error: 'must be the id of a consent token' })
  .refine((text) => isTokenId(text) || isTransactionId(text), {
    message: 'must be tok_ and a UUID, or a transaction id of 43 characters',
  })
  .meta({
    pattern: `^(tok_${UUID}|${TRANSACTION_ID})$`,
    description: 'The id of a consent token, or of the transaction that granted it.',
  });

/** A proposal's id: a UUID, or the id of the transaction that opened it. Protocol §2. */
export const proposalReference = z
  .string({ error: 'must be the id of a proposal' })
  .refine((text) => isUuid(text) || isTransactionId(text), {
    message: 'must be a UUID, or a transaction id of 43 characters',
  })
  .meta({
    pattern: `^(${UUID}|${TRANSACTION_ID})$`,
    description: 'The id of a proposal, or of the transaction that opened it.',
  });

/**
 * Whether a text has characters that embed, override or isolate a direction (UAX #9), with which 1.2 can be displayed as 2.1. The
 * direction marks used in Arabic and Hebrew are allowed.
 */
export const hasDirectionControls = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text);

const NOT_VISIBLE = 'must not contain control characters or invisible ones';

export const text = (
  name: string,
  { min = 1, max, visible = false }: { min?: number; max: number; visible?: boolean },
) =>
  z
    .string({ error: `must be a string: ${name}` })
    .max(max, `must have at most ${max} characters`)
    .refine(
      (value) => value.trim().length >= min,
      min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
    )
    .refine((value) => !(visible && hasInvisible(value)), NOT_VISIBLE)
    .meta({ minLength: min, pattern: '\\S', description: `${name.charAt(0).toUpperCase()}${name.slice(1)}.` });

/** A text that is displayed publicly; may be empty. */
export const publicText = (max: number) =>
  z
    .string({ error: 'must be a string' })
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !hasInvisible(value), NOT_VISIBLE)
    .meta({ description: 'A public text without control characters and invisible ones.' });

/** A name that is displayed publicly. */
export const publicName = (min: number, max: number) =>
  publicText(max)
    .refine((value) => [...value.trim()].length >= min, `must have at least ${min} characters`)
    .meta({ minLength: min });

export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** A URL where programs reach an institution. Protocol §1. */
export const contactUrl = z
  .string({ error: 'must be a URL or null' })
  .superRefine((text, context) => {
    const problem = contactUrlProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: CONTACT_PROBLEMS[problem] });
  })
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: 500, description: 'A public https URL.' });

/** A point in time in a request: ISO 8601 with a zone; also in UTC in the years 1000 to 9999. */
export const instant = z
  .string({ error: INSTANT_PROBLEMS.moment })
  .refine((text) => parseInstant(text) !== null, INSTANT_PROBLEMS.time)
  .meta({
    format: 'date-time',
    pattern: DATE_TIME.source,
    description: 'ISO 8601 date and time with a zone, from the year 1000 on.',
  });

export const reason = z.string().max(500, 'must have at most 500 characters').nullish();

// Sealed on the ledger, so that a replay never checks them again.
export const guardianName = text('the name of the guardian', { max: 80, visible: true });
export const guardianContact = text('how to reach the guardian', { max: 200, visible: true });
export const guardianRole = z.enum(GUARDIAN_ROLES, { error: 'must be primary, secondary or tertiary' });

/** The id of a guardian, an invitation or a recovery request, which have no aliases. */
export const uuid = z
  .string({ error: 'must be a UUID' })
  .refine(isUuid, 'must be a UUID')
  .meta({ pattern: `^${UUID}$` });

/** Null, absent or empty: any key may accept the invitation. */
const guardianKey = publicKey.meta({ pattern: '^([0-9a-fA-F]{64})?$' }).nullish();

const guardian = z.looseObject({
  name: guardianName,
  contact: guardianContact,
  role: guardianRole,
  public_key: guardianKey,
});

/** A guardian in an update: with its id or key, name and contact may be left out, because the vault may have them. */
const updatedGuardian = z
  .looseObject({ ...guardian.shape, name: guardianName.nullish(), contact: guardianContact.nullish() })
  .superRefine(({ guardian_id: id, public_key: key, ...named }, context) => {
    if (key || (typeof id === 'string' && isUuid(id))) return;
    for (const member of ['name', 'contact'] as const) {
      if (!named[member]) context.addIssue({ code: 'custom', path: [member], message: 'is required' });
    }
  });

/** Clients may send back the whole list that they read, including recently removed guardians. */
const MAX_REPEATED = 32;

/** Whether an entry only repeats a removed guardian that the API returned. Such entries are ignored. */
export const repeatsRemovedGuardian = (value: unknown): boolean => {
  const { status, name, contact } = (value ?? {}) as Partial<Record<string, unknown>>;
  return status === 'REMOVED' && !name && !contact;
};

const removedGuardian = z
  .looseObject({
    status: z.literal('REMOVED'),
    name: z.literal([null, '', 0, false]).optional(),
    contact: z.literal([null, '', 0, false]).optional(),
  })
  .meta({ description: 'A removed guardian as the API returned it: ignored.' });

const configurationOf = <Guardian extends z.ZodType<{ readonly role: GuardianRole }>>(guardianSchema: Guardian) =>
  z
    .looseObject(
      {
        guardians: describedBy(
          z
            .array(z.unknown(), { error: 'must be a list of guardians' })
            .max(MAX_REPEATED, `must have at most ${MAX_REPEATED} entries`)
            .transform((guardians) => guardians.filter((guardian) => !repeatsRemovedGuardian(guardian)))
            .pipe(z.array(z.unknown()).max(3, 'must name at most three guardians'))
            .pipe(z.array(guardianSchema))
            .refine(
              (guardians) => new Set(guardians.map(({ role }) => role)).size === guardians.length,
              'must not give one role to two guardians',
            ),
          z.array(z.union([guardianSchema, removedGuardian])).max(MAX_REPEATED),
        ),
        threshold: z
          .unknown()
          .optional()
          .refine(
            (value) => value === undefined || value === null || value === THRESHOLD,
            withErrorCode('RECOVERY_THRESHOLD_INVALID', 'must be 2'),
          )
          .meta({ enum: [THRESHOLD, null] }),
        enabled: z.boolean({ error: 'must be true or false' }).nullish(),
      },
      { error: 'must be null or a recovery configuration' },
    )
    .nullable();

/** A recovery configuration (protocol §4). Extra members are allowed, because clients may send back what they read. */
export const recovery = configurationOf(guardian);

/** A configuration that replaces another; it may be the one that the API returned. */
export const nextRecovery = configurationOf(updatedGuardian);

export type RecoveryFields = NonNullable<z.infer<typeof nextRecovery>>;

/** A guardian's key in lower case; null if it is null, absent or "": no key is bound. Protocol §1. */
export const boundKey = (key: string | null | undefined): string | null => (key ? key.toLowerCase() : null);
