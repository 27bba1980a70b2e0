import { expect, test } from 'vitest';
import { exactly } from './value.ts';

test('a value is shown as it was sent', () => {
  expect([87.5, '1.50', 1e-7, '< 5'].map(exactly)).toEqual(['87.5', '1.50', '1e-7', '< 5']);
});
