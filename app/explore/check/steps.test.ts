import { expect, test } from 'vitest';
import { STEPS as CHECKED } from '../../../protocol/ledger/check-proof.ts';
import { STEPS } from './steps.ts';

test('the steps that the page shows in advance are those of the check', () => {
  expect(STEPS).toEqual(CHECKED);
});
