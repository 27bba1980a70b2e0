import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, type Person, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { type AcceptedGuardian, type Guardians, guardiansOf, HOUR } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const start = ({ person, id }: Party, newPublicKey: string) =>
  service.post('/api/guardian/practise', guardians.sign(person, 'startPractice', { beoId: id, newPublicKey }));

async function started(holder: Party) {
  const { publicKey } = newPerson();
  const { status, body } = await start(holder, publicKey);
  expect(status, JSON.stringify(body)).toBe(200);
  const linkOf = ({ id }: AcceptedGuardian): string => {
    const { url } = body.links.find((link: { guardian_id: string }) => link.guardian_id === id);
    return `/api${new URL(url).pathname}`;
  };
  return { practiceId: body.practice_id as string, newPublicKey: publicKey, links: body.links, linkOf };
}
type Practice = Awaited<ReturnType<typeof started>>;

const signature = (person: Person, { practiceId, newPublicKey }: Practice) =>
  guardians.sign(person, 'practiseRecovery', { practiceId, newPublicKey });

test('guardians practise a recovery that changes nothing, and the holder sees who took part', async () => {
  const { holder, guardians: accepted } = await guardians.guarded();
  const { seq } = (await service.get('/api/ledger')).body.head;
  await guardians.expectUnchanged(holder, async () => {
    const practice = await started(holder);
    expect(practice.links).toHaveLength(2);
    for (const guardian of accepted) {
      const { status, body } = await service.post(practice.linkOf(guardian), signature(guardian.person, practice));
      expect([status, body.practice_id, body.guardian_id]).toEqual([200, practice.practiceId, guardian.id]);
    }
    const list = guardians.sign(holder.person, 'listGuardians', { beoId: holder.id });
    const { body } = await service.post('/api/guardian/list', list);
    const [today] = new Date(Date.now() + shift).toISOString().split('T');
    for (const guardian of body.recovery.guardians)
      expect(guardian).toMatchObject({ attested_on: today, practised: practice.practiceId });
    expect(body.open_requests).toEqual([]);
  });
  expect((await service.get('/api/ledger')).body.head.seq).toBe(seq);
});

test('what a guardian signed in a practice confirms no recovery, also to the same key', async () => {
  const { holder, guardians: accepted } = await guardians.guarded();
  const practice = await started(holder);
  const opened = await guardians.asked(holder.id, practice.newPublicKey);
  for (const guardian of accepted) {
    const practised = signature(guardian.person, practice) as Record<string, unknown>;
    const link = guardians.linkFor(opened, guardian);
    expectRefusal(await service.post(link, practised), 'VALIDATION_FAILED');
    const { nonce, timestamp, signature: signed } = practised;
    const fields = { requestId: opened.request_id, beoId: holder.id, newPublicKey: practice.newPublicKey };
    expectRefusal(await service.post(link, { ...fields, nonce, timestamp, signature: signed }), 'INVALID_SIGNATURE');
    // Nor does the practice's id pass for a request's.
    const asRequest = guardians.confirmation(guardian.person, holder.id, practice.practiceId, practice.newPublicKey);
    expectRefusal(await service.post(link, asRequest), 'VALIDATION_FAILED');
    const token = practice.linkOf(guardian).split('/').at(-1);
    expect((await service.post(`/api/guardian/confirm-recovery/${token}`, asRequest)).status).toBe(404);
  }
  expect((await guardians.beoOf(holder.id)).active_recovery).toBeNull();
});

test('a practice takes the link’s guardian, practice and key, once per signature, for 72 hours', async () => {
  const {
    holder,
    guardians: [first, second],
  } = await guardians.guarded();
  const [practice, other] = [await started(holder), await started(holder)];
  const link = practice.linkOf(first);
  expectRefusal(await service.post(link, signature(second.person, practice)), 'INVALID_SIGNATURE');
  expectRefusal(await service.post(link, signature(first.person, other)), 'VALIDATION_FAILED');
  const otherKey = { ...practice, newPublicKey: other.newPublicKey };
  expectRefusal(await service.post(link, signature(first.person, otherKey)), 'VALIDATION_FAILED');
  expectRefusal(await service.post(`${link.slice(0, -2)}AA`, signature(first.person, practice)), 'LINK_NOT_FOUND');
  const once = signature(first.person, practice);
  expect((await service.post(link, once)).status).toBe(200);
  expectRefusal(await service.post(link, once), 'NONCE_REUSED');
  shift += 72 * HOUR;
  expectRefusal(await service.post(link, signature(first.person, practice)), 'LINK_EXPIRED');
});

test('only the holder begins a practice, with two guardians who have accepted', async () => {
  const { holder, guardians: accepted } = await guardians.guarded();
  const { publicKey } = newPerson();
  for (const person of [accepted[0].person, newPerson()])
    expectRefusal(await start({ ...holder, person }, publicKey), 'INVALID_SIGNATURE');
  const lonely = await guardians.newHolder();
  await guardians.seat(lonely, 'primary');
  expectRefusal(await start(lonely, publicKey), 'RECOVERY_NOT_CONFIGURED');
  const practice = await started(holder);
  const [first] = accepted;
  const resignation = guardians.sign(first.person, 'resignGuardian', { beoId: holder.id, guardianId: first.id });
  expect((await service.post('/api/guardian/resign', resignation)).status).toBe(200);
  expectRefusal(await service.post(practice.linkOf(first), signature(first.person, practice)), 'LINK_EXPIRED');
});
