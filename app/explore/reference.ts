import { normalizeReference } from '../_ui/reference.ts';

const CONSENT = /^tok_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a person typed, as what they mean: the id of a consent too is left as it is. */
export function exploredReference(typed: string, suffix: string): string {
  const name = typed.trim();
  return CONSENT.test(name) ? name : normalizeReference(name, suffix);
}
