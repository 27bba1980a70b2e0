import type { Pool } from 'pg';
import type { Witness } from '../../settings/witness-list.ts';
import type { HeadEvidence, HeadSource } from '../head-evidence.ts';
import { sizesOfWitnesses } from './ask-witness.ts';
import type { LogIdentity } from './log-identity.ts';

/**
 * The sizes of the trees that the witnesses cosigned last. They are on the word of the witnesses, so that more than half of
 * all must report a size: one that lies may be the first to answer. Only FINAL entries are in the tree, and no restore loses them, so a ledger of any epoch
 * has at least as many.
 */
export function witnessedHeads(log: LogIdentity): HeadSource[] {
  const sizes = new Map<Witness, number>();

  function reportedByMost(): HeadEvidence | null {
    const reported = [...sizes].sort(([, one], [, other]) => other - one);
    const size = reported[Math.floor(log.witnesses.length / 2)]?.[1] ?? 0;
    if (size === 0) return null;
    const names = reported.filter(([, each]) => each >= size).map(([{ key }]) => key.name);
    const shown = `a tree of ${size} entries that ${names.join(', ')} cosigned`;
    return { epoch: null, seq: size, id: null, shown, isSigned: false };
  }

  return log.witnesses.map((witness) => ({
    name: `witness ${witness.key.name}`,
    group: 'majority of the witnesses',
    async latest(stopping) {
      const [answer] = await sizesOfWitnesses([witness], log, stopping);
      if (!answer) throw new Error('It does not report what it cosigned last.');
      sizes.set(witness, answer.size);
      return reportedByMost();
    },
  }));
}

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
