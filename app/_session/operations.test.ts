import { expect, test } from 'vitest';
import { OPERATIONS } from '../../protocol/operations.ts';
import { FUNCTIONS } from './operations.ts';

test('the dashboard signs every operation of the table that is neither the institute’s nor behind a guardian’s link', () => {
  const signed = OPERATIONS.filter(
    ({ signer, routes }) => signer !== 'institute' && !routes.some(({ link }) => link !== undefined),
  );
  expect(FUNCTIONS).toEqual(Object.fromEntries(signed.map(({ name, function: signedName }) => [name, signedName])));
});
