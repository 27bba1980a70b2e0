import { expect, test } from 'vitest';
import { NOTHING_YET, registrationOf, STEPS, stepFor } from './answers.ts';

const ALL = {
  ...NOTHING_YET,
  domain: 'clinic.bsp',
  ieoType: 'HOSPITAL',
  displayName: 'A Clinic',
  agreed: true,
  copied: true,
} as const;

test('no screen is reached before those ahead of it are answered', () => {
  expect(stepFor(null, NOTHING_YET)).toBe('domain');
  expect(stepFor('send', NOTHING_YET)).toBe('domain');
  expect(stepFor('send', { ...NOTHING_YET, domain: 'clinic.bsp' })).toBe('type');
  expect(stepFor('send', { ...ALL, copied: false })).toBe('key');
  expect(STEPS.map((step) => stepFor(step, ALL))).toEqual([...STEPS.slice(0, -1), 'send']);
  expect(stepFor('what', ALL)).toBe('domain');
  expect(stepFor('domain', { ...ALL, ieoId: 'an-id' })).toBe('browser');
});

test('what was not said is not sent', () => {
  const signed = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', displayName: 'A Clinic', publicKey: 'ab' };
  expect(registrationOf(ALL, 'ab')).toEqual(signed);
  expect(registrationOf({ ...ALL, country: 'BR' }, 'ab')).toEqual({ ...signed, country: 'BR' });
});
