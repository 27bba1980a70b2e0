import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, READING } from '../../write/test-parties.ts';
import { DAY, measurement } from '../records/test-exchange.ts';
import { type EventClients, eventsOf, summaryOf } from './test-events.ts';

let shift = 0;
let service: TestService;
let clients: EventClients;
let lab: Party;
let holder: Party;
let tokenId: string;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  clients = eventsOf(service, () => Date.now() + shift);
  [lab, holder] = [await clients.newInstitution(), await clients.newHolder()];
  tokenId = (await clients.granted(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] })).token_id;
});
afterAll(() => service.stop());

/** A record of the lab that is then corrected. @returns its id */
async function superseded(): Promise<string> {
  const use = { by: lab, holder, tokenId };
  const { record_ids } = await clients.exchange.submitted(use, [measurement()]);
  await clients.exchange.submitted(use, [measurement({ value: 90, supersedes: record_ids[0] })]);
  return record_ids[0];
}

const recordEvents = async (party: Party) =>
  (await clients.all(party)).filter(({ type }) => type === 'records.superseded').map(summaryOf);

// The record is of the category BSP-CV, collected on 4 March 2026.
const SCOPES: readonly (readonly [string, boolean, Json])[] = [
  ['every category', true, READING],
  ['its category', true, { ...READING, categories: ['BSP-CV'] }],
  ['another category', false, { ...READING, categories: ['BSP-LA'] }],
  ['the use without reading', false, { intents: ['EXPORT_DATA', 'SUBMIT_RECORD'], categories: ['*'] }],
  ['its month', true, { ...READING, period: { from: '2026-03-01T00:00:00Z', to: '2026-03-31T00:00:00Z' } }],
  ['a later time', false, { ...READING, period: { from: '2026-03-05T00:00:00Z' } }],
  ['an earlier time', false, { ...READING, period: { to: '2026-03-04T00:00:00Z' } }],
  ['a number of records', false, { ...READING, max_records: 100 }],
];

test.each(SCOPES)('a consent for %s makes a correction an event for its institution: %s', async (_, isTold, scope) => {
  const reader = await clients.newInstitution();
  await clients.granted(holder, reader.id, scope);
  const record = await superseded();
  expect(await recordEvents(reader)).toEqual(isTold ? [`records.superseded ${record}`] : []);
  expect(await recordEvents(lab)).toContain(`records.superseded ${record}`);
});

test('a correction is no event for institutions whose consent was not live at that moment', async () => {
  const [early, late, expired] = [
    await clients.newInstitution(),
    await clients.newInstitution(),
    await clients.newInstitution(),
  ];
  const revoked = await clients.granted(holder, early.id);
  await clients.revoke(holder, revoked.token_id);
  await clients.granted(holder, expired.id, READING, 1);
  shift += DAY;
  await superseded();
  await clients.granted(holder, late.id);
  for (const party of [early, late, expired]) expect(await recordEvents(party)).toEqual([]);
});

test('the event has ids only', async () => {
  await superseded();
  const event = (await clients.all(lab)).findLast(({ type }) => type === 'records.superseded');
  expect(Object.keys(event?.data ?? {}).toSorted()).toEqual(['beo_id', 'record_id', 'transaction_id']);
});
