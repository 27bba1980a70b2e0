import { describe, expect, test } from 'vitest';
import { screenFor } from '../../_wizard/step-order.ts';
import { type Answers, NO_ANSWERS, REGISTER, type Registering, registrationIn, signedFields } from './register-flow.ts';

const naming = { displayName: 'A Clinic', country: '', jurisdiction: '', legalId: '' };
const answers: Answers = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', naming, agreed: true };

const shown = (requested: string | null, changes: Partial<Registering>) =>
  screenFor(REGISTER, requested, { answers, hasCopy: false, isSealed: false, isRegistered: false, ...changes });

describe('the screens of registering an institution', () => {
  test('come in order: the answers, a copy of the key, a passphrase, and then the request', () => {
    expect(shown('send', { answers: NO_ANSWERS })).toBe('domain');
    expect(shown('send', { answers: { ...NO_ANSWERS, domain: 'clinic.bsp' } })).toBe('type');
    expect(shown('send', { answers: { ...answers, naming: null, agreed: false } })).toBe('name');
    expect(shown('send', { answers: { ...answers, agreed: false } })).toBe('public');
    expect(shown('send', {})).toBe('key');
    expect(shown('send', { hasCopy: true })).toBe('here');
    expect(shown('send', { hasCopy: true, isSealed: true })).toBe('send');
    expect(shown('type', { hasCopy: true, isSealed: true })).toBe('type');
  });

  test('ask for the passphrase where the institution exists and this browser does not keep its key', () => {
    for (const requested of [null, 'domain', 'send']) {
      expect(shown(requested, { answers: NO_ANSWERS, isRegistered: true })).toBe('keep');
    }
  });
});

test('leaves empty details out of the signed fields', () => {
  const signed = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', displayName: 'A Clinic', publicKey: 'ab' };
  const registration = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', ...naming } as const;
  expect(registrationIn(answers)).toEqual(registration);
  expect(registrationIn({ ...answers, naming: null })).toBeNull();
  expect(signedFields(registration, 'ab')).toEqual(signed);
  expect(signedFields({ ...registration, country: 'BR' }, 'ab')).toEqual({ ...signed, country: 'BR' });
});
