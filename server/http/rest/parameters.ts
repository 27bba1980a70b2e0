import { z } from 'zod';
import { isDay } from '../../../protocol/days.ts';
import { refusal } from '../../../protocol/errors.ts';
import { parseInstant } from '../../../protocol/time.ts';
import type { PageBounds } from '../../platform/db/bounds.ts';

/**
 * Reads the query parameters of a route. Unknown and repeated ones are refused; an empty one is ignored. Protocol §1.
 * @param ignoresOthers ignores unknown ones
 * @throws VALIDATION_FAILED
 */
export function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  search: URLSearchParams,
  signed: readonly string[] = [],
  ignoresOthers = false,
): z.output<Schema> {
  const names = Object.keys(schema.shape);
  if (search.size > 0 && !ignoresOthers) refuseUnknownParameters(search, [...names, ...signed]);
  const given: Record<string, string> = {};
  for (const name of names) {
    const text = search.get(name);
    if (text) given[name] = text;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongParameter(String(issue?.path[0]), issue?.message ?? 'is not valid');
}

function refuseUnknownParameters(search: URLSearchParams, known: readonly string[]): void {
  const issues = [...new Set(search.keys())].slice(0, 20).flatMap((name) => {
    if (!known.includes(name)) return [{ path: name, message: 'is not a parameter of this address' }];
    return search.getAll(name).length > 1 ? [{ path: name, message: 'is given more than once' }] : [];
  });
  const [first] = issues;
  if (first) throw refusal('VALIDATION_FAILED', `The parameter ${first.path} ${first.message}.`, { issues });
}

/** Reads a body that is not signed. @throws VALIDATION_FAILED */
export function readBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [path, message] = [String(issue?.path[0] ?? ''), issue?.message ?? 'is not valid'];
  throw refusal('VALIDATION_FAILED', `The field ${path || 'of the body'} ${message}.`, { issues: [{ path, message }] });
}

export const wrongParameter = (path: string, message: string) =>
  refusal('VALIDATION_FAILED', `The parameter ${path} ${message}.`, { issues: [{ path, message }] });

const asNumber = (pattern: RegExp, text: unknown) => (pattern.test(String(text)) ? Number(text) : text);

/** A whole number in a query. */
export const wholeNumber = ({ min, max, fallback }: { min: number; max: number; fallback: number }) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const number = z.int({ error }).min(min, error).max(max, error).default(fallback);
  return z.preprocess((text) => asNumber(/^(0|[1-9]\d{0,15})$/, text), number);
};

const lengthOfPage = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z.int({ error }).min(1, error);
};

/** A limit above `max` becomes `max`. */
const clamped = (max: number) => (text: unknown) => {
  const limit = asNumber(/^[1-9]\d*$/, text);
  return typeof limit === 'number' ? Math.min(limit, max) : limit;
};

const describedLength = (max: number) => ({
  description: `How many items to return. A larger number than ${max} means ${max}.`,
});

/** The length of a page. */
export const pageLimit = ({ max, fallback }: PageBounds) =>
  z.preprocess(clamped(max), lengthOfPage(max).default(fallback)).meta(describedLength(max));

/** The length of a page, for a list that is not paged if neither a limit nor a cursor is given. */
export const optionalPageLimit = ({ max }: PageBounds) =>
  z.preprocess(clamped(max), lengthOfPage(max).optional()).meta(describedLength(max));

const MAX_LISTED = 200;

/** Values separated by commas; null if absent. `itemOf` receives the message for a wrong value. */
export const listed = <Item extends z.ZodType<string>>(itemOf: (error: string) => Item, what: string) => {
  const error = `must be ${what}, separated by commas`;
  return z
    .preprocess(
      (text) => (typeof text === 'string' ? text.split(',').map((value) => value.trim()) : text),
      z.array(itemOf(error), { error }).max(MAX_LISTED, error).optional(),
    )
    .transform((values) => values ?? null)
    .meta({ description: 'Several values are separated by commas.' });
};

/** A point in time as ISO 8601 in UTC, or a date as it was given. PostgreSQL does not read every offset that ISO 8601 allows. */
export const givenMoment = z
  .string()
  .refine((text) => isDay(text) || parseInstant(text) !== null, {
    error: 'must be an ISO 8601 date, or a date and time with a zone, from the year 1000 on',
  })
  .transform((text) => (isDay(text) ? text : utc(text)));

/** As givenMoment; null if absent. */
export const moment = givenMoment
  .optional()
  .transform((text) => text ?? null)
  .meta({ description: 'An ISO 8601 date, or a date and time with a zone, from the year 1000 on.' });

const utc = (text: string): string => new Date(parseInstant(text) ?? Number.NaN).toISOString();

/** The position after which a page begins; null if absent. */
export const cursor = z
  .string()
  .optional()
  .transform((text) => text ?? null)
  .meta({ description: 'The `next_cursor` of the page before; absent for the first page.' });
