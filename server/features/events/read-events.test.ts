import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../protocol/events.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, READING } from '../../write/test-parties.ts';
import { type Guardians, guardiansOf } from '../guardians/test-guardians.ts';
import { DAY, measurement } from '../records/test-exchange.ts';
import { type EventClients, eventsOf, summaryOf } from './test-events.ts';

let shift = 0;
let service: TestService;
let clients: EventClients;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  const now = () => Date.now() + shift;
  clients = eventsOf(service, now);
  guardians = guardiansOf(service, now);
});
afterAll(() => service.stop());

const summaries = async (institution: Party) => (await clients.all(institution)).map(summaryOf);
const BOTH = { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['*'] };

/** A record that its submitter corrected. @returns its id */
async function superseded(by: Party, holder: Party, tokenId: string, more = {}): Promise<string> {
  const use = { by, holder, tokenId };
  const { record_ids } = await clients.exchange.submitted(use, [measurement(more)]);
  await clients.exchange.submitted(use, [measurement({ ...more, value: 90, supersedes: record_ids[0] })]);
  return record_ids[0];
}

describe('an institution reads', () => {
  test('an event of every type, in the order of the ledger, and another one only its own', async () => {
    const [lab, other] = await Promise.all([clients.newInstitution(), clients.newInstitution()]);
    const { holder, guardians: accepted } = await guardians.guarded();
    const submitting = await clients.granted(holder, lab.id, BOTH);
    const brief = await clients.granted(holder, lab.id, READING, 1);
    const elsewhere = await clients.granted(await clients.newHolder(), other.id, READING);
    const record = await superseded(lab, holder, submitting.token_id);
    await clients.beo(holder, 'lock', 'lockBEO');
    await clients.beo(holder, 'unlock', 'unlockBEO');
    await clients.ieo(lab, 'lock', 'lockIEO');
    await clients.ieo(lab, 'unlock', 'unlockIEO');
    await clients.institute('certification', { ieoId: lab.id, level: 'BASIC' }, 1);
    await clients.decide('suspendIEO', { ieoId: lab.id, reason: 'A complaint.' });
    await clients.decide('reinstateIEO', { ieoId: lab.id });
    await clients.decide('changeCertLevel', { ieoId: lab.id, level: 'ADVANCED' });
    const next = newPerson();
    await clients.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
    const recovered = await guardians.recovered({ holder, guardians: accepted });
    shift += DAY;
    const newest = await clients.granted(recovered, lab.id, { ...READING, categories: ['BSP-CV'] });
    await clients.revoke(recovered, newest.token_id);
    shift += DAY;
    const before = await clients.all(lab);
    expect((await clients.beo(recovered, 'destroy', 'destroyBEO')).status).toBe(200);

    const expected = [
      `consent.granted ${submitting.token_id}`,
      `consent.granted ${brief.token_id}`,
      `records.superseded ${record}`,
      `beo.locked ${holder.id}`,
      `beo.unlocked ${holder.id}`,
      `ieo.status_changed ${lab.id}`,
      `ieo.status_changed ${lab.id}`,
      `ieo.certification_changed ${lab.id}`,
      `ieo.status_changed ${lab.id}`,
      `ieo.status_changed ${lab.id}`,
      `ieo.certification_changed ${lab.id}`,
      `beo.key_rotated ${holder.id}`,
      `beo.key_rotated ${holder.id}`,
      `consent.expired ${brief.token_id}`,
      `consent.granted ${newest.token_id}`,
      `consent.revoked ${newest.token_id}`,
    ];
    expect(before.map(summaryOf)).toEqual(expected);
    // Erased with the record.
    const remaining = before.filter(({ type }) => type !== 'records.superseded');
    const after = await clients.all(lab);
    expect(after.slice(0, -2)).toEqual(remaining);
    expect(after.slice(-2).map(summaryOf)).toEqual([
      `beo.destroyed ${holder.id}`,
      `consent.revoked ${submitting.token_id}`,
    ]);
    expect(await summaries(other)).toEqual([`consent.granted ${elsewhere.token_id}`]);
    expect(new Set([...before, ...after].map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
  });
});
