import { expect, test } from 'vitest';
import { isWithin } from '../../../../../protocol/consent-request.ts';
import type { Scope } from '../../../../../protocol/entities/token.ts';
import { type Grant, grantOf } from './draft.ts';
import { draftOf, narrowed } from './draft-of-request.ts';

const scope: Scope = {
  intents: ['READ_RECORDS'],
  categories: ['BSP-HM', 'BSP-CV'],
  levels: ['STANDARD'],
  period: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
  max_records: 10,
};
const request = { scope, expiresInDays: 30 };
const institution = {
  ieo_id: 'an id',
  domain: 'clinic.bsp',
  display_name: 'Clinic',
  ieo_type: 'HOSPITAL',
  certified: true,
  domain_above: null,
  certification: { level: 'BASIC', granted_at: null, expires_at: null, categories: [], intents: [] },
};

/** The consent as it would be signed. */
const within = ({ intents, categories, levels, period, most, days }: Grant) =>
  isWithin(request, { intents, categories, levels, period, max_records: most }, days);

test('the first answers to a request are within it, in any zone', () => {
  const asked = { request, institution } as unknown as Parameters<typeof draftOf>[0];
  const grant = narrowed(grantOf(draftOf(asked), Date.now()), request);
  expect(within(grant)).toBe(true);
  expect(grant).toMatchObject({ intents: ['READ_RECORDS'], categories: ['BSP-HM', 'BSP-CV'], days: 30, most: 10 });
});

test('no answer widens a request', () => {
  const all: Grant = {
    intents: ['READ_RECORDS', 'EXPORT_DATA'],
    categories: ['BSP-HM', 'BSP-GN'],
    levels: [],
    period: null,
    most: null,
    days: null,
  };
  expect(narrowed(all, request)).toEqual(MOST);
  expect(within(narrowed(all, request))).toBe(true);
  const less: Grant = { ...all, period: { from: '2026-01-15T00:00:00.000Z', to: null }, most: 3, days: 7 };
  expect(narrowed(less, request)).toMatchObject({
    period: { from: '2026-01-15T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    most: 3,
    days: 7,
  });
});

const MOST: Grant = {
  intents: ['READ_RECORDS'],
  categories: ['BSP-HM'],
  levels: ['STANDARD'],
  period: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
  most: 10,
  days: 30,
};
