import { refusal } from '../../protocol/errors.ts';

/** One of the values a parameter can have, or null where it is not given. @throws VALIDATION_FAILED */
export function chosen<Value extends string>(
  search: URLSearchParams,
  name: string,
  values: readonly Value[],
): Value | null {
  const text = search.get(name);
  if (text === null) return null;
  const value = values.find((known) => known === text);
  if (value !== undefined) return value;
  const message = `must be one of ${values.join(', ')}`;
  throw refusal('VALIDATION_FAILED', `The parameter ${name} ${message}.`, { issues: [{ path: name, message }] });
}

/** @throws VALIDATION_FAILED */
export function wholeNumber(
  search: URLSearchParams,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const text = search.get(name);
  if (text === null) return fallback;
  const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const message = `must be a whole number from ${min} to ${max}`;
  throw refusal('VALIDATION_FAILED', `The parameter ${name} ${message}.`, { issues: [{ path: name, message }] });
}
