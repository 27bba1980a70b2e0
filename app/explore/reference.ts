import { normalizeReference } from '../_ui/reference.ts';

const CONSENT = /^tok_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Normalizes a reference; the id of a consent stays as it is. */
export function exploredReference(typed: string, suffix: string): string {
  const name = typed.trim();
  return CONSENT.test(name) ? name : normalizeReference(name, suffix);
}
