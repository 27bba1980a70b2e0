import type { Pool } from 'pg';
import type { HeadSource } from '../ledger/head-evidence.ts';
import type { Witness } from '../witness-list.ts';
import { sizesOfWitnesses } from './ask-witness.ts';
import type { LogIdentity } from './log.ts';

/**
 * The size of the tree that a witness cosigned last, on the word of the witness. Only FINAL entries are in the tree, and no
 * restore loses them, so a ledger of any epoch has at least as many.
 */
export const witnessedHead = (witness: Witness, log: LogIdentity): HeadSource => ({
  name: `witness ${witness.key.name}`,
  async latest(stopping) {
    const [answer] = await sizesOfWitnesses([witness], log, stopping);
    if (!answer) throw new Error('It does not report what it cosigned last.');
    const { size } = answer;
    if (size === 0) return null;
    return { epoch: null, seq: size, id: null, shown: `a tree of ${size} entries that it cosigned`, isSigned: false };
  },
});

/** The largest tree that this log has signed, as the database has it. Its checkpoint must never be contradicted. */
export const signedTreeHead = (pool: Pick<Pool, 'query'>): HeadSource => ({
  name: 'table of checkpoints',
  async latest() {
    const { rows } = await pool.query<{ size: number | null }>('SELECT max(size) AS size FROM checkpoints');
    const size = rows[0]?.size ?? 0;
    return size === 0
      ? null
      : { epoch: null, seq: size, id: null, shown: `a tree of ${size} entries`, isSigned: false };
  },
});
