import { describe, expect, test } from 'vitest';
import { screenFor, screensBefore } from '../../_wizard/step-order.ts';
import { REGISTER, type Registering, type Registration, signedFields } from './register-flow.ts';

const registration: Registration = {
  domain: 'clinic.bsp',
  ieoType: 'HOSPITAL',
  displayName: 'A Clinic',
  country: '',
  jurisdiction: '',
  legalId: '',
};

const shown = (requested: string | null, changes: Partial<Registering>) =>
  screenFor(REGISTER, requested, {
    ...{ registration, hasCopy: false, isSealed: false, isRegistered: false, isDone: false },
    ...changes,
  });

describe('the screens of registering an institution', () => {
  test('come in order: what it is, a copy of the key, the key in this browser, and then the request', () => {
    expect(shown('send', { registration: null })).toBe('about');
    expect(shown('send', {})).toBe('key');
    expect(shown('send', { hasCopy: true })).toBe('here');
    expect(shown('send', { hasCopy: true, isSealed: true })).toBe('send');
    expect(shown('about', { hasCopy: true, isSealed: true })).toBe('about');
  });

  test('let the person open every finished step again', () => {
    expect([...screensBefore(REGISTER, 'send')]).toEqual(['here', 'key', 'about']);
  });

  test('ask how to keep the key where the institution exists and this browser does not keep it', () => {
    for (const requested of [null, 'about', 'send']) {
      expect(shown(requested, { registration: null, isRegistered: true })).toBe('keep');
    }
  });

  test('end with what comes next, once the key is in this browser', () => {
    expect(shown('send', { isDone: true })).toBe('done');
    expect(shown(null, { registration: null, isRegistered: true, isDone: true })).toBe('done');
    expect(shown('done', {})).toBe('about');
  });
});

test('leaves empty details out of the signed fields', () => {
  const signed = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', displayName: 'A Clinic', publicKey: 'ab' };
  expect(signedFields(registration, 'ab')).toEqual(signed);
  expect(signedFields({ ...registration, country: 'BR' }, 'ab')).toEqual({ ...signed, country: 'BR' });
});
