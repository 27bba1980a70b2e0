import type { Json } from '../../protocol/signing/canonical-json.ts';

/** A value exactly as it was sent: neither rounded nor localized. */
export const exactly = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The members of an object, each exactly as it was sent; null for any other value. */
export function partsOf(value: Json): readonly (readonly [name: string, part: string])[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.entries(value).map(([name, part]) => [name, exactly(part as Json)]);
}
