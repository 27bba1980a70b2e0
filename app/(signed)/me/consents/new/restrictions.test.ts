import { expect, test } from 'vitest';
import { IEO_TYPES, type IeoType } from '../../../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../../../protocol/records/taxonomy.ts';
import { type Recipient, whyNotCategory, whyNotIntent, whyNotLasting } from './restrictions.ts';

const institution = (type: IeoType): Recipient => ({
  kind: 'institution',
  id: 'an id',
  domain: 'a.bsp',
  name: 'A',
  type,
  mark: {
    certified: false,
    certification: { level: 'UNCERTIFIED', granted_at: null, expires_at: null, categories: [], intents: [] },
    domain_above: null,
  },
});

/** Every choice that the pages do not offer, with its reason. */
function impossible(to: Recipient) {
  const reasons = [
    ...INTENTS.map((intent) => [intent, whyNotIntent(to, intent)] as const),
    ...['*', ...CATEGORIES].map((category) => [category, whyNotCategory(to, category)] as const),
    ...[30, null].map((days) => [String(days), whyNotLasting(to, days)] as const),
  ];
  return Object.fromEntries(reasons.filter(([, reason]) => reason !== null));
}

test('the pages do not offer to an institution what its type may not have', () => {
  const expected: Partial<Record<IeoType, Record<string, string>>> = {
    WEARABLE: {
      READ_RECORDS: 'wearableReads',
      ...Object.fromEntries(
        ['*', ...CATEGORIES].filter((code) => code !== 'BSP-DV').map((code) => [code, 'wearableData']),
      ),
    },
    PLATFORM: { SUBMIT_RECORD: 'platformAdds' },
    INSURER: { null: 'insurerForever' },
  };
  for (const type of IEO_TYPES) expect(impossible(institution(type)), type).toEqual(expected[type] ?? {});
});

test('the pages do not offer holders to submit records under a consent to themselves', () => {
  expect(impossible({ kind: 'self' })).toEqual({ SUBMIT_RECORD: 'selfAdds' });
});
