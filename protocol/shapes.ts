import { z } from 'zod';
import { THRESHOLD } from './entities.ts';
import type { ErrorCode } from './errors.ts';
import { GUARDIAN_ROLES, isTransactionId, isUuid } from './ids.ts';

/** Lets an issue of a schema carry the code it is answered with instead of VALIDATION_FAILED. */
export const answeredAs = (code: ErrorCode, message: string) => ({ message, params: { code } });

export const publicKey = z.string({ error: 'must be a public key: 64 hex characters' });

export const domain = z.string({ error: 'must be a domain' });

const DOMAIN_LIKE = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** An entity id as it is taken everywhere: a UUID, the id of the creating transaction, or a domain. Protocol §2. */
export const entityReference = z
  .string({ error: 'must be an id, the id of the creating transaction, or a domain' })
  .refine((text) => isUuid(text) || isTransactionId(text) || (text.length <= 64 && DOMAIN_LIKE.test(text)), {
    message: 'must be a UUID, a transaction id of 43 characters, or a domain',
  });

const text = (name: string, max: number) =>
  z
    .string({ error: `must be a text: ${name}` })
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value.trim() !== '', 'must not be empty');

export const reason = z.string().max(500, 'must have at most 500 characters').nullish();

const guardian = z.looseObject({
  name: text('the name of the guardian', 80),
  contact: text('how to reach the guardian', 200),
  role: z.enum(GUARDIAN_ROLES, { error: 'must be primary, secondary or tertiary' }),
  public_key: publicKey.nullish(),
});

/** A recovery configuration as a holder sends it (protocol §4): extra members a client echoes back are allowed inside. */
export const recovery = z
  .looseObject(
    {
      guardians: z
        .array(guardian, { error: 'must be a list of guardians' })
        .max(3, 'must name at most three guardians')
        .refine(
          (guardians) => new Set(guardians.map(({ role }) => role)).size === guardians.length,
          'must not give one role to two guardians',
        ),
      threshold: z
        .unknown()
        .optional()
        .refine(
          (value) => value === undefined || value === null || value === THRESHOLD,
          answeredAs('RECOVERY_THRESHOLD_INVALID', 'must be 2'),
        ),
      enabled: z.boolean({ error: 'must be true or false' }).nullish(),
    },
    { error: 'must be null or a recovery configuration' },
  )
  .nullable();

export type RecoveryFields = NonNullable<z.infer<typeof recovery>>;

/** Of a guardian's optional key: null, absent and "" all mean that none is bound. Protocol §1. */
export const boundKey = (key: string | null | undefined): string | null => (key ? key.toLowerCase() : null);
