import { isObject, type Json } from '../../signing/canonical-json.ts';
import type { JsonObject } from '../../signing/message.ts';

/** What an object may have under a name. */
export type Member = Json | undefined;

export const objectOf = (value: Member): JsonObject | null => (value !== undefined && isObject(value) ? value : null);
export const listOf = (value: Member): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const textOf = (value: Member): string | null =>
  typeof value === 'string' && value.trim() !== '' && !value.startsWith('\0') ? value : null;

export function textOfConcept(concept: Member): string | null {
  const object = objectOf(concept);
  const [first] = listOf(object?.coding);
  return textOf(object?.text) ?? textOf(first?.display) ?? textOf(first?.code);
}
