import { expect, test } from 'vitest';
import { STEPS as CHAIN_STEPS } from '../../../protocol/ledger/check-proof.ts';
import { LOG_STEPS } from '../../../protocol/transparency/check-proof-file.ts';
import { STEPS } from './steps.ts';

test('the steps that the page shows in advance are those of the check', () => {
  expect(STEPS.chain).toEqual(CHAIN_STEPS);
  const ofTheEntry = CHAIN_STEPS.slice(0, CHAIN_STEPS.indexOf('before'));
  expect(STEPS.log).toEqual([...ofTheEntry, ...LOG_STEPS]);
});
