import type { APIRequestContext, Page } from '@playwright/test';
import type { Json } from '../protocol/signing/canonical-json.ts';
import type { Api, Fields, Holder, Institution } from './api.ts';
import { expect, newClientAddress } from './fixtures.ts';
import { newStoredHolder } from './stored-identity.ts';

const RANGE = { optimal_low: 40, optimal_high: 60, deficiency_high: 20, population: 'adults' };

/** A record of vitamin D with its reference range. */
export const healthRecord = (value: Json, day: string, more: Fields = {}): Fields => ({
  biomarker: 'BSP-VT-001',
  value,
  unit: 'ng/mL',
  collected_at: `${day}T08:00:00.000Z`,
  ref_range: RANGE,
  source: { method: 'LC-MS/MS' },
  ...more,
});

/** Submits at most 100 records. @returns their ids */
export async function submitRecords(
  request: APIRequestContext,
  { key }: Institution,
  { id }: Holder,
  consentToken: string,
  records: readonly Fields[],
): Promise<string[]> {
  const data = key.sign('submitRecords', { targetBeo: id, consentToken, records });
  const response = await request.post('/api/exchange/records', { data, headers: newClientAddress() });
  expect(response.status(), await response.text()).toBe(201);
  const { record_ids }: { record_ids: string[] } = await response.json();
  return record_ids;
}

/** Creates a holder in a browser, with records of two biomarkers from a laboratory; one record is corrected. */
export async function newStoredHolderWithRecords(page: Page, api: Api, request: APIRequestContext) {
  const [holder, lab] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(undefined, 'Northern Laboratory', 'LAB'),
  ]);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  const submit = (records: Fields[]) => submitRecords(request, lab, holder, token.token_id, records);
  const [, , wrong = ''] = await submit([
    healthRecord(18.4, '2025-01-10'),
    healthRecord(36, '2025-06-10'),
    healthRecord(425, '2026-01-10'),
    healthRecord('=1+1', '2025-03-01', { biomarker: 'BSP-GN-001', unit: 'genotype', ref_range: { optimal: 'e3/e3' } }),
  ]);
  await submit([healthRecord('42.50', '2026-01-10', { supersedes: wrong })]);
  return { holder, lab };
}
