import type { Pool } from 'pg';
import { continues, currentKey, keyDigest, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import { InvalidSuccession, verifySuccession } from '../../protocol/ledger/succession.ts';
import { readHead } from './head.ts';
import { readSuccession } from './key-entries.ts';

/** The relayer's keys as this process knows them: those in the database or, if it lost entries, those that it had before. */
export type KnownKeys = () => Promise<Succession>;

export function createKnownKeys(pool: Pick<Pool, 'query'>, atStart: Succession): KnownKeys {
  let known = atStart;
  return async () => {
    const stored = await readSuccession(pool, await readHead(pool));
    if (continues(stored, known)) known = stored;
    return known;
  };
}

/**
 * Whose key (hex) signed what should show a later head. Only the `current` one can: the database has the rotation that ended a `replaced`
 * one, so whatever that shows is older, or forged by whoever stole it.
 * @param items the entries that changed the key, as the source of the head has them: the database may lack some
 */
export function roleOfKey(
  known: Succession,
  key: string,
  items: readonly Uint8Array[] = [],
): 'current' | 'replaced' | 'unknown' {
  // A database that lost the rotation has only the digest of the key that followed.
  if (key === currentKey(known) || keyDigest(key) === known.nextKeyDigest) return 'current';
  if (known.keys.some(({ publicKey }) => publicKey === key)) return 'replaced';
  try {
    const shown = verifySuccession(known.ledgerId, items, key);
    return continues(shown, known) && currentKey(shown) === key ? 'current' : 'unknown';
  } catch (error) {
    if (error instanceof InvalidSuccession) return 'unknown';
    throw error;
  }
}
