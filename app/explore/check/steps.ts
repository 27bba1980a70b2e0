import type { StepName } from '../../../protocol/ledger/check-proof.ts';

/** The steps of a check in their order, without loading the check itself. */
export const STEPS: readonly StepName[] = [
  'item',
  'relayer',
  'ledger',
  'place',
  'entry',
  'person',
  'before',
  'after',
  'head',
];
