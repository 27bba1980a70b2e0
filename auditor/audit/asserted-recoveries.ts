import type { StateFile } from './audit-state-file.ts';

/** A recovery that only the relayer asserts: no public signature of the holder names some of the guardians. */
export interface AssertedRecovery {
  readonly seq: number;
  readonly id: string;
  readonly beoId: string;
  /** Hex. */
  readonly newPublicKey: string;
  /** The keys that no signature names, hex. */
  readonly guardianKeys: readonly string[];
}

export interface AssertedRecoveries {
  add(recovery: AssertedRecovery): void;
  readonly total: number;
  /** In the order of the ledger. */
  all(): Iterable<AssertedRecovery>;
}

/** Keeps them all in a state file: a relayer that invents many of them hides none, and the memory does not grow. */
export function createAssertedRecoveries(file: StateFile): AssertedRecoveries {
  file.query('CREATE TABLE IF NOT EXISTS asserted_recoveries (row INTEGER PRIMARY KEY, recovery TEXT NOT NULL)').run();
  const insert = file.query('INSERT INTO asserted_recoveries (recovery) VALUES (?)');
  const select = file.query('SELECT recovery FROM asserted_recoveries ORDER BY row');
  let total = Number(file.query('SELECT count(*) AS total FROM asserted_recoveries').all()[0]?.total);
  return {
    add(recovery) {
      insert.run(JSON.stringify(recovery));
      total += 1;
    },
    get total() {
      return total;
    },
    *all() {
      for (const { recovery } of select.each()) yield JSON.parse(String(recovery)) as AssertedRecovery;
    },
  };
}

/** The list as lines of text; empty if there are none. */
export function* assertedLines({ total, all }: AssertedRecoveries): Iterable<string> {
  if (total === 0) return;
  yield 'Asserted by the relayer: recoveries by guardians that no public signature of the holder names';
  for (const { seq, id, beoId, newPublicKey, guardianKeys } of all()) {
    const keys = `${guardianKeys.length === 1 ? 'key' : 'keys'} ${guardianKeys.join(' and ')}`;
    yield `  entry ${seq} (${id}): ${beoId} moved to the key ${newPublicKey}, by the guardian ${keys}`;
  }
  yield '';
}

/** The last line of a report with asserted recoveries, which is not clean. */
export const assertedVerdict = ({ total }: AssertedRecoveries, breaches: number): string =>
  `${breaches === 0 ? 'No breach, but not clean' : 'Also'}: ${total} ${total === 1 ? 'recovery is' : 'recoveries are'} asserted by the relayer alone.`;
