import { normalizeReference } from '../_ui/reference.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CONSENT = new RegExp(`^tok_${UUID}$`, 'i');

/** Normalizes a reference in an address; the id of a consent stays as it is. */
export function exploredReference(typed: string, suffix: string): string {
  const name = typed.trim();
  return CONSENT.test(name) ? name : normalizeReference(name, suffix);
}

const MAX_SHOWN = 80;

/** A typed text for a heading: without control characters, and cut if it is long. */
export function shownText(typed: string): string {
  const text = typed.replace(/\p{Cc}+/gu, ' ').trim();
  const characters = [...text.slice(0, 2 * MAX_SHOWN + 2)];
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : text;
}
