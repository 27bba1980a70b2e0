import type { Pool } from 'pg';
import { continues, keyAt, keyDigest, keysOfHead, type Succession } from '../../protocol/ledger/relayer-keys.ts';
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

/** Whether a key (hex) may have signed the entry `seq`. A replaced key signs no later entry: whoever has it could invent one. */
export const mayHaveSigned = (known: Succession, key: string, seq: number): boolean =>
  keyAt(known, seq) === key || isCommitted(known, key);

/**
 * Whether a key (hex) may have signed a head over the entry `seq`.
 * @param items the entries that changed the key, as whoever shows the head has them: a database may have lost several
 */
export function mayHaveSignedHead(known: Succession, key: string, seq: number, items: readonly Uint8Array[]): boolean {
  if (keysOfHead(known, seq).includes(key) || isCommitted(known, key)) return true;
  try {
    const shown = verifySuccession(known.ledgerId, items, key);
    return continues(shown, known) && keysOfHead(shown, seq).includes(key);
  } catch (error) {
    if (error instanceof InvalidSuccession) return false;
    throw error;
  }
}

/** A database that lost the rotation has only the digest of the key that followed. */
const isCommitted = ({ nextKeyDigest }: Succession, key: string): boolean => keyDigest(key) === nextKeyDigest;
