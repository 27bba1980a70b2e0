import { sha256 } from '#digests';
import type { BeoId } from '../ids.ts';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import type { Scope } from './token.ts';

/** Hex SHA-256 over holder, grantee and scope. Only one token with the same key may be live. */
export function scopeKeyOf(beoId: BeoId, granteeId: string, scope: Scope): string {
  const sorted = {
    ...scope,
    intents: scope.intents.toSorted(),
    categories: scope.categories.toSorted(),
    levels: scope.levels.toSorted(),
  };
  return sha256(canonicalJson([beoId, granteeId, sorted] as unknown as Json));
}
