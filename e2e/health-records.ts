import type { APIRequestContext } from '@playwright/test';
import type { Json } from '../protocol/signing/canonical-json.ts';
import type { Fields, Holder, Institution } from './api.ts';
import { expect, freshAddress } from './people.ts';

const RANGE = { optimal_low: 40, optimal_high: 60, deficiency_high: 20, population: 'adults' };

/** A record of vitamin D, with the range to expect; collected on a day at eight. */
export const measured = (value: Json, day: string, more: Fields = {}): Fields => ({
  biomarker: 'BSP-VT-001',
  value,
  unit: 'ng/mL',
  collected_at: `${day}T08:00:00.000Z`,
  ref_range: RANGE,
  source: { method: 'LC-MS/MS' },
  ...more,
});

/** Has an institution submit records, a hundred at most. @returns their ids */
export async function submitted(
  request: APIRequestContext,
  { key }: Institution,
  { id }: Holder,
  consentToken: string,
  records: readonly Fields[],
): Promise<string[]> {
  const data = key.sign('submitRecords', { targetBeo: id, consentToken, records });
  const answer = await request.post('/api/exchange/records', { data, headers: freshAddress() });
  expect(answer.status(), await answer.text()).toBe(201);
  const { record_ids }: { record_ids: string[] } = await answer.json();
  return record_ids;
}
