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
  /** The oldest ones, at most `MAX_KEPT`. */
  readonly first: readonly AssertedRecovery[];
}

const MAX_KEPT = 100;

/** Counts asserted recoveries and keeps the first of them. */
export function createAssertedRecoveries(
  from: Pick<AssertedRecoveries, 'total' | 'first'> = { total: 0, first: [] },
): AssertedRecoveries {
  const first = [...from.first];
  let { total } = from;
  return {
    add(recovery) {
      total += 1;
      if (first.length < MAX_KEPT) first.push(recovery);
    },
    get total() {
      return total;
    },
    first,
  };
}

/** The list as lines of text; empty if there are none. */
export function assertedLines({ total, first }: AssertedRecoveries): string[] {
  if (total === 0) return [];
  return [
    'Asserted by the relayer: recoveries by guardians that no public signature of the holder names',
    ...first.map(({ seq, id, beoId, newPublicKey, guardianKeys }) => {
      const keys = `${guardianKeys.length === 1 ? 'key' : 'keys'} ${guardianKeys.join(' and ')}`;
      return `  entry ${seq} (${id}): ${beoId} moved to the key ${newPublicKey}, by the guardian ${keys}`;
    }),
    ...(total > first.length ? [`  … and ${total - first.length} more`] : []),
    '',
  ];
}

/** The last line of a report with asserted recoveries, which is not clean. */
export const assertedVerdict = ({ total }: AssertedRecoveries, breaches: number): string =>
  `${breaches === 0 ? 'No breach, but not clean' : 'Also'}: ${total} ${total === 1 ? 'recovery is' : 'recoveries are'} asserted by the relayer alone.`;
