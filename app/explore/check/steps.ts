import type { Step, StepName } from '../../../protocol/ledger/check-proof.ts';
import type { LogStep } from '../../../protocol/transparency/check-proof-file.ts';

export type AnyStep = Step | LogStep;
export type AnyStepName = StepName | LogStep['name'];

const OF_THE_ENTRY: readonly AnyStepName[] = ['item', 'relayer', 'ledger', 'place', 'entry', 'person'];

/**
 * The steps of a check in their order, without loading the check itself: for an entry that is in the transparency log, and for one
 * that is not there yet.
 */
export const STEPS: Readonly<Record<'log' | 'chain', readonly AnyStepName[]>> = {
  log: [...OF_THE_ENTRY, 'checkpoint', 'witnesses', 'inclusion'],
  chain: [...OF_THE_ENTRY, 'before', 'after', 'head'],
};
