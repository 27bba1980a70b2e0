import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { type ConsentParties, type Exchange, exchangeOf, measurement, OWN, withOldScope } from './test-exchange.ts';

/** A token granted before a rule forbade its scope is limited on use and on verification. Protocol §3. */
let service: TestService;
let exchange: Exchange;
let clinic: ConsentParties;
let holder: Party;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  clinic = await exchange.newConsent();
  holder = clinic.holder;
  await exchange.submitted(clinic, [measurement(), measurement({ biomarker: 'BSP-DV-001', unit: 'bpm' })]);
});
afterAll(() => service.stop());

const verify = ({ tokenId }: ConsentParties, query: string) => exchange.parties.verdict(tokenId, query);

describe('a wearable', () => {
  let wearable: Party;
  beforeAll(async () => {
    wearable = await exchange.parties.newInstitution({ ieoType: 'WEARABLE' });
  });
  const consentToExport = (categories: string[]) =>
    exchange.newConsent({ intents: ['EXPORT_DATA'], categories }, { holder, by: wearable });

  test('exports only device data with a consent for all categories', async () => {
    const use = await consentToExport(['*']);
    const { records } = JSON.parse(await exchange.exported(use, 'JSON'));
    expect(records.map(({ category }: { category: string }) => category)).toEqual(['BSP-DV']);
  });

  test('cannot export with an earlier consent that names other categories', async () => {
    const use = await withOldScope(service, await consentToExport(['BSP-DV']), { categories: ['BSP-CV', 'BSP-DV'] });
    for (const format of ['JSON', 'CSV', 'FHIR_R4']) {
      expectRefusal(await exchange.exportAs(use, format), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    }
    for (const query of ['?intent=EXPORT_DATA', '?intent=EXPORT_DATA&category=BSP-CV']) {
      expect(await verify(use, query)).toMatchObject({ valid: false, reason: 'INTENT_NOT_AUTHORIZED' });
    }
  });
});

test('a self token with SUBMIT_RECORD does not allow submitting', async () => {
  const use = await withOldScope(service, await exchange.newSelfConsent(holder), {
    intents: [...OWN.intents, 'SUBMIT_RECORD'],
  });
  expectRefusal(await exchange.submit(use, [measurement()]), 'INTENT_NOT_ALLOWED_FOR_TYPE');
  expect(await verify(use, '?intent=SUBMIT_RECORD')).toMatchObject({ valid: false, reason: 'INTENT_NOT_AUTHORIZED' });
  expect(await verify(use, '?intent=READ_RECORDS')).toMatchObject({ valid: true });
});

test('a scope whose categories and levels exclude each other covers no records', async () => {
  const by = await exchange.parties.newInstitution();
  const granted = await exchange.newConsent({ intents: ['READ_RECORDS'], categories: ['BSP-CV'] }, { holder, by });
  const intents = ['READ_RECORDS', 'EXPORT_DATA', 'SUBMIT_RECORD'];
  const use = await withOldScope(service, granted, { intents, levels: ['DEVICE'] });
  expect((await exchange.page(use)).records).toEqual([]);
  expect(JSON.parse(await exchange.exported(use, 'JSON')).records).toEqual([]);
  expectRefusal(await exchange.read(use, { categories: 'BSP-CV' }), 'CATEGORY_NOT_AUTHORIZED');
  expectRefusal(await exchange.submit(use, [measurement()]), 'CATEGORY_NOT_AUTHORIZED');
  for (const query of ['?category=BSP-CV', '?level=CORE', '?level=DEVICE']) {
    expect(await verify(use, query)).toMatchObject({ valid: false, reason: 'CATEGORY_NOT_AUTHORIZED' });
  }
});
