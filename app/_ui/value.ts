import type { Json } from '../../protocol/signing/canonical-json.ts';

/** A number as text, sent by clients that must keep trailing zeros (protocol §8). */
const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The number that a chart can draw, also from a text; null for any other value. */
export function numberIn(value: Json): number | null {
  const number = typeof value === 'string' && PLAIN_NUMBER.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A value exactly as it was sent: neither rounded nor localized. */
export const exactly = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The members of an object, each exactly as it was sent; null for any other value. */
export function partsOf(value: Json): readonly (readonly [name: string, part: string])[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.entries(value).map(([name, part]) => [name, exactly(part as Json)]);
}
