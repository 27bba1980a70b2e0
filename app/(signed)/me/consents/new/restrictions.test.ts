import { describe, expect, test } from 'vitest';
import { IEO_TYPES, type IeoType } from '../../../../../protocol/entities/ieo.ts';
import { INTENTS, type Scope, typeRestriction } from '../../../../../protocol/entities/token.ts';
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

describe('what the pages offer', () => {
  test.each(IEO_TYPES)('a %s is never refused by the protocol', (type) => {
    const to = institution(type);
    for (const intent of INTENTS) {
      for (const category of [...CATEGORIES, '*']) {
        for (const days of [30, null]) {
          const why = whyNotIntent(to, intent) ?? whyNotCategory(to, category) ?? whyNotLasting(to, days);
          const scope: Scope = {
            intents: [intent],
            categories: [category],
            levels: [],
            period: null,
            max_records: null,
          };
          if (why === null) expect(typeRestriction(type, scope, days !== null)).toBeNull();
        }
      }
    }
  });

  test('a wearable does not read, and has only what devices measure', () => {
    expect(whyNotIntent(institution('WEARABLE'), 'READ_RECORDS')).toBe('wearableReads');
    expect(whyNotCategory(institution('WEARABLE'), 'BSP-CV')).toBe('wearableData');
    expect(whyNotCategory(institution('WEARABLE'), '*')).toBe('wearableData');
    expect(whyNotCategory(institution('WEARABLE'), 'BSP-DV')).toBeNull();
  });

  test('a platform adds nothing', () => {
    expect(whyNotIntent(institution('PLATFORM'), 'SUBMIT_RECORD')).toBe('platformAdds');
    expect(whyNotIntent(institution('PLATFORM'), 'READ_RECORDS')).toBeNull();
  });

  test('a consent for an insurer ends', () => {
    expect(whyNotLasting(institution('INSURER'), null)).toBe('insurerForever');
    expect(whyNotLasting(institution('INSURER'), 365)).toBeNull();
    expect(whyNotLasting(institution('LAB'), null)).toBeNull();
  });

  test('people read and export their own records, and add none', () => {
    const self: Recipient = { kind: 'self' };
    expect(INTENTS.filter((intent) => whyNotIntent(self, intent) === null)).toEqual(['READ_RECORDS', 'EXPORT_DATA']);
    expect([whyNotCategory(self, '*'), whyNotLasting(self, null), whyNotRecipient(self)]).toEqual([null, null, null]);
  });

  test('a suspended institution gets nothing', () => {
    expect(whyNotRecipient(institution('LAB', 'SUSPENDED'))).toBe('notActive');
    expect(whyNotRecipient(institution('LAB'))).toBeNull();
  });
});
