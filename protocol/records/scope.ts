import { z } from 'zod';
import { MAX_CONSENT_DAYS } from '../days.ts';
import { INTENT_NAMES, INTENTS, intentOf } from '../entities/intents.ts';
import type { Scope } from '../entities/token.ts';
import { instant, oneOf, required } from '../shapes.ts';
import { parseTimestamp } from '../time.ts';
import { CATEGORIES, isCategory, LEVELS } from './taxonomy.ts';

/** More than all intents, categories and levels together. A longer list is rejected before its items are parsed. */
const MAX_ITEMS = 100;

const asSent = <Item>(value: Item): string => String(value);

/** @param meaningOf two values with the same meaning count as one that is named twice */
export const uniqueList = <Item extends z.ZodType<string>>(
  item: Item,
  what: string,
  meaningOf: (value: z.output<Item>) => string = asSent,
) =>
  z
    .preprocess(
      (values, context) => {
        if (!Array.isArray(values) || values.length <= MAX_ITEMS) return values;
        context.addIssue({ code: 'custom', message: `must have at most ${MAX_ITEMS} items` });
        return z.NEVER;
      },
      z.array(item, { error: `must be a list of ${what}` }),
    )
    .refine((values) => new Set(values.map(meaningOf)).size === values.length, 'must not name anything twice')
    .meta({ uniqueItems: true, maxItems: MAX_ITEMS });

/** An intent by any of its names; `intentOf` has its meaning. */
export const intent = z
  .enum(INTENT_NAMES, { error: `must be one of ${INTENTS.join(', ')}` })
  .describe('What a consent permits its grantee to do.');

export const intents = uniqueList(intent, 'intents', intentOf);

export const category = z
  .string({ error: 'must be the code of a category' })
  .refine(isCategory, {
    message: 'must be the code of a category, like BSP-CV',
  })
  .meta({ enum: CATEGORIES });

const categories = uniqueList(z.union([z.literal('*'), category]), 'categories')
  .refine((codes) => codes.length === 1 || !codes.includes('*'), 'must be either codes, or * alone')
  .meta({ description: 'Codes of categories, or `*` alone for all of them.' });

const period = z
  .strictObject({ from: instant.nullish(), to: instant.nullish() }, { error: 'must have the form { from, to }' })
  .refine(
    ({ from, to }) => !from || !to || (parseTimestamp(from) ?? 0) <= (parseTimestamp(to) ?? 0),
    'must not end before it begins',
  );

/** A scope as the holder signs it (protocol §3). Only levels and period may be left out. */
export const scope = required(
  'SCOPE_REQUIRED',
  z.strictObject(
    {
      intents: required('SCOPE_REQUIRED', intents).meta({ minItems: 1 }),
      categories: required('CATEGORIES_REQUIRED', categories).meta({ minItems: 1 }),
      levels: uniqueList(oneOf(LEVELS), 'levels').nullish(),
      period: period.nullish(),
      max_records: z
        .int({ error: 'must be a whole number' })
        .min(1, 'must be at least 1')
        .max(1_000_000_000, 'must be at most 1000000000')
        .nullish(),
    },
    { error: 'must be a scope with intents and categories' },
  ),
);

export const expiresInDays = z
  .int({ error: 'must be a whole number of days, or null for a consent without an end' })
  .min(1, 'must be at least 1')
  .max(MAX_CONSENT_DAYS, `must be at most ${MAX_CONSENT_DAYS}`)
  .nullable();

/** A scope with all its members: an empty list of levels means all levels, a null period means any time. */
export function normalizedScope(sent: z.infer<typeof scope>): Scope {
  const { from, to } = sent.period ?? {};
  return {
    intents: sent.intents.map(intentOf),
    categories: sent.categories,
    levels: sent.levels ?? [],
    period: from || to ? { from: utc(from), to: utc(to) } : null,
    max_records: sent.max_records ?? null,
  };
}

const utc = (text: string | null | undefined): string | null =>
  text ? new Date(parseTimestamp(text) ?? Number.NaN).toISOString() : null;
