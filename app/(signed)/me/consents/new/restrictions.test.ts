import { describe, expect, test } from 'vitest';
import { IEO_TYPES, type IeoType } from '../../../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../../../protocol/entities/intents.ts';
import { type Scope, typeRestriction } from '../../../../../protocol/entities/token.ts';
import { CATEGORIES } from '../../../../../protocol/records/taxonomy.ts';
import { type Recipient, whyNotCategory, whyNotIntent, whyNotLasting, whyNotRecipient } from './restrictions.ts';

const institution = (type: IeoType, status: 'ACTIVE' | 'SUSPENDED' = 'ACTIVE'): Recipient => ({
  kind: 'institution',
  id: 'an id',
  domain: 'a.bsp',
  name: 'A',
  type,
  status,
  mark: {
    certified: false,
    certification: { level: 'UNCERTIFIED', granted_at: null, expires_at: null, categories: [], intents: [] },
    domain_above: null,
  },
});

describe('the choices that the pages offer', () => {
  test.each(IEO_TYPES)('for a %s are all allowed by the protocol', (type) => {
    const to = institution(type);
    for (const intent of INTENTS) {
      for (const category of [...CATEGORIES, '*']) {
        for (const days of [30, null]) {
          const reason = whyNotIntent(to, intent) ?? whyNotCategory(to, category) ?? whyNotLasting(to, days);
          const scope: Scope = {
            intents: [intent],
            categories: [category],
            levels: [],
            period: null,
            max_records: null,
          };
          if (reason === null) expect(typeRestriction(type, scope, days !== null)).toBeNull();
        }
      }
    }
  });

  test('for a wearable exclude reading and all but device data', () => {
    expect(whyNotIntent(institution('WEARABLE'), 'READ_RECORDS')).toBe('wearableReads');
    expect(whyNotCategory(institution('WEARABLE'), 'BSP-CV')).toBe('wearableData');
    expect(whyNotCategory(institution('WEARABLE'), '*')).toBe('wearableData');
    expect(whyNotCategory(institution('WEARABLE'), 'BSP-DV')).toBeNull();
  });

  test('for a platform exclude submitting', () => {
    expect(whyNotIntent(institution('PLATFORM'), 'SUBMIT_RECORD')).toBe('platformAdds');
    expect(whyNotIntent(institution('PLATFORM'), 'READ_RECORDS')).toBeNull();
  });

  test('for an insurer have an end', () => {
    expect(whyNotLasting(institution('INSURER'), null)).toBe('insurerForever');
    expect(whyNotLasting(institution('INSURER'), 365)).toBeNull();
    expect(whyNotLasting(institution('LAB'), null)).toBeNull();
  });

  test('for the holder are reading and exporting', () => {
    const self: Recipient = { kind: 'self' };
    expect(INTENTS.filter((intent) => whyNotIntent(self, intent) === null)).toEqual(['READ_RECORDS', 'EXPORT_DATA']);
    expect([whyNotCategory(self, '*'), whyNotLasting(self, null), whyNotRecipient(self)]).toEqual([null, null, null]);
  });

  test('exclude a suspended institution', () => {
    expect(whyNotRecipient(institution('LAB', 'SUSPENDED'))).toBe('notActive');
    expect(whyNotRecipient(institution('LAB'))).toBeNull();
  });
});
