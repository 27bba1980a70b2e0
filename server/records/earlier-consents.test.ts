import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../test-service.ts';
import type { Party } from '../write/test-parties.ts';
import { type Exchange, exchangeOf, measurement, OWN, type Relation } from './test-exchange.ts';

/** Tokens that were granted before a rule forbade them are bounded when they are used, and verified accordingly. Protocol §3. */
let service: TestService;
let exchange: Exchange;
let clinic: Relation;
let holder: Party;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  clinic = await exchange.related();
  holder = clinic.holder;
  await exchange.submitted(clinic, [measurement(), measurement({ biomarker: 'BSP-DV-001', unit: 'bpm' })]);
});
afterAll(() => service.stop());

const verdict = ({ tokenId }: Relation, query: string) => exchange.parties.verdict(tokenId, query);

describe('a wearable', () => {
  let wearable: Party;
  beforeAll(async () => {
    wearable = await exchange.parties.newInstitution({ ieoType: 'WEARABLE' });
  });
  const exporting = (categories: string[]) =>
    exchange.related({ intents: ['EXPORT_DATA'], categories }, { holder, by: wearable });

  test('exports device data alone, where it was granted everything', async () => {
    const use = await exporting(['*']);
    const { records } = JSON.parse(await exchange.taken(use, 'JSON'));
    expect(records.map(({ category }: { category: string }) => category)).toEqual(['BSP-DV']);
  });

  test('exports nothing, where it was once granted other categories', async () => {
    const use = await exchange.grantedBefore(await exporting(['BSP-DV']), { categories: ['BSP-CV', 'BSP-DV'] });
    for (const format of ['JSON', 'CSV', 'FHIR_R4']) {
      expectRefusal(await exchange.take(use, format), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    }
    for (const query of ['?intent=EXPORT_DATA', '?intent=EXPORT_DATA&category=BSP-CV']) {
      expect(await verdict(use, query)).toMatchObject({ valid: false, reason: 'INTENT_NOT_AUTHORIZED' });
    }
  });
});

test('a self token with SUBMIT_RECORD does not submit', async () => {
  const use = await exchange.grantedBefore(await exchange.selfRelated(holder), {
    intents: [...OWN.intents, 'SUBMIT_RECORD'],
  });
  expectRefusal(await exchange.submit(use, [measurement()]), 'INTENT_NOT_ALLOWED_FOR_TYPE');
  expect(await verdict(use, '?intent=SUBMIT_RECORD')).toMatchObject({ valid: false, reason: 'INTENT_NOT_AUTHORIZED' });
  expect(await verdict(use, '?intent=READ_RECORDS')).toMatchObject({ valid: true });
});

test('a scope that covers nothing reads, exports and submits nothing', async () => {
  const by = await exchange.parties.newInstitution();
  const granted = await exchange.related({ intents: ['READ_RECORDS'], categories: ['BSP-CV'] }, { holder, by });
  const intents = ['READ_RECORDS', 'EXPORT_DATA', 'SUBMIT_RECORD'];
  const use = await exchange.grantedBefore(granted, { intents, levels: ['DEVICE'] });
  expect((await exchange.page(use)).records).toEqual([]);
  expect(JSON.parse(await exchange.taken(use, 'JSON')).records).toEqual([]);
  expectRefusal(await exchange.read(use, { categories: 'BSP-CV' }), 'CATEGORY_NOT_AUTHORIZED');
  expectRefusal(await exchange.submit(use, [measurement()]), 'CATEGORY_NOT_AUTHORIZED');
  for (const query of ['?category=BSP-CV', '?level=CORE', '?level=DEVICE']) {
    expect(await verdict(use, query)).toMatchObject({ valid: false, reason: 'CATEGORY_NOT_AUTHORIZED' });
  }
});
