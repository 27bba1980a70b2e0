import { refusal } from '../../../protocol/errors.ts';
import type { PageBounds } from '../../db/bounds.ts';

/** An unsigned parameter; null if absent or empty. Protocol §1. */
export const given = (search: URLSearchParams, name: string): string | null => search.get(name) || null;

/**
 * A parameter with a fixed set of values; null if absent.
 * @param aliases other names of these values
 * @throws VALIDATION_FAILED
 */
export function chosen<Value extends string>(
  search: URLSearchParams,
  name: string,
  values: readonly Value[],
  aliases: Readonly<Record<string, Value>> = {},
): Value | null {
  const text = given(search, name);
  if (text === null) return null;
  const value = Object.hasOwn(aliases, text) ? aliases[text] : values.find((known) => known === text);
  if (value !== undefined) return value;
  throw wrongParameter(name, `must be one of ${values.join(', ')}`);
}

/** @throws VALIDATION_FAILED */
export function wholeNumber(
  search: URLSearchParams,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const text = given(search, name);
  if (text === null) return fallback;
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw wrongParameter(name, `must be a whole number from ${min} to ${max}`);
}

/** The page size; a limit above `max` becomes `max`. @throws VALIDATION_FAILED unless it is a whole number from 1. */
export function pageLimit(search: URLSearchParams, { max, fallback }: PageBounds): number {
  const text = given(search, 'limit');
  if (text === null) return fallback;
  if (/^[1-9]\d*$/.test(text)) return Math.min(Number(text), max);
  throw wrongParameter('limit', `must be a whole number from 1 to ${max}`);
}

export const wrongParameter = (path: string, message: string) =>
  refusal('VALIDATION_FAILED', `The parameter ${path} ${message}.`, { issues: [{ path, message }] });
