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

const today = () => new Date(Date.now() + shift).toISOString().slice(0, 10);
const attest = (person: Person, guardianId: string, challenge: string) =>
  service.post('/api/guardian/attest', guardians.sign(person, 'attestGuardian', { guardianId, challenge }));
const guardedBy = async (person: Person) => {
  const request = guardians.sign(person, 'listGuarded', { publicKey: person.publicKey });
  return (await service.post('/api/guardian/guarded', request)).body.guarded[0];
};
const challengeOf = async ({ person }: AcceptedGuardian): Promise<string> => (await guardedBy(person)).challenge;
const shown = async ({ person, id }: Party) => {
  const { body } = await service.post('/api/guardian/list', guardians.sign(person, 'listGuardians', { beoId: id }));
  return body.recovery.guardians.map((guardian: { attested_on: string | null }) => guardian.attested_on);
};
const rowsOf = async (guardianId: string) =>
  (await service.service.context.pool.query('SELECT FROM vault_rows WHERE id = $1', [`attested:${guardianId}`])).rows;

test('the last day is shown to the holder and to the guardian, and is not on the ledger', async () => {
  const { holder, guardians: accepted } = await guardians.guarded();
  const [first] = accepted;
  const { seq } = (await service.get('/api/ledger')).body.head;
  const answer = await attest(first.person, first.id, await challengeOf(first));
  expect(answer.body).toEqual({ guardian_id: first.id, attested_on: today() });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await shown(holder)).toEqual([today(), null]);
  shift += 48 * HOUR;
  expect((await attest(first.person, first.id.toUpperCase(), await challengeOf(first))).status).toBe(200);
  expect(await shown(holder)).toEqual([today(), null]);
  expect((await guardedBy(first.person)).attested_on).toBe(today());
  expect((await service.get('/api/ledger')).body.head.seq).toBe(seq);
});

test('only the guardian can check the key, once per signature, within an hour after the challenge was read', async () => {
  const {
    holder,
    guardians: [first, second],
  } = await guardians.guarded();
  const challenge = await challengeOf(first);
  for (const person of [holder.person, second.person, newPerson()]) {
    const answer = await attest(person, first.id, challenge);
    expectRefusal(answer, 'INVALID_SIGNATURE');
    expect(answer.body.details).toMatchObject({ expected_key: 'guardian' });
  }
  expectRefusal(await attest(second.person, second.id, challenge), 'VALIDATION_FAILED');
  expectRefusal(await attest(first.person, first.id, `${challenge.slice(0, -2)}AA`), 'NOT_FOUND');
  const request = guardians.sign(first.person, 'attestGuardian', { guardianId: first.id, challenge });
  expect((await service.post('/api/guardian/attest', request)).status).toBe(200);
  expectRefusal(await service.post('/api/guardian/attest', request), 'NONCE_REUSED');
  shift += HOUR + 60_000;
  const late = await attest(first.person, first.id, challenge);
  expectRefusal(late, 'VALIDATION_FAILED');
  expect(late.body.error).toContain('more than an hour old');
});

test('what a guardian signed to check the key confirms no recovery', async () => {
  const {
    holder,
    guardians: [first],
  } = await guardians.guarded();
  const next = newPerson();
  const opened = await guardians.asked(holder.id, next.publicKey);
  const attestation = guardians.sign(first.person, 'attestGuardian', {
    guardianId: first.id,
    challenge: await challengeOf(first),
  });
  const { nonce, timestamp, signature } = attestation as Record<string, unknown>;
  const fields = { requestId: opened.request_id, beoId: holder.id, newPublicKey: next.publicKey };
  const link = guardians.linkFor(opened, first);
  expectRefusal(await service.post(link, { ...fields, nonce, timestamp, signature }), 'INVALID_SIGNATURE');
  expectRefusal(await service.post(link, attestation), 'VALIDATION_FAILED');
});

test('the day is deleted with the guardian and with the identity', async () => {
  const { holder, guardians: accepted } = await guardians.guarded({ count: 3 });
  const [first, second, third] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
  const challenges = await Promise.all(accepted.map(challengeOf));
  for (const [index, { person, id }] of accepted.entries()) await attest(person, id, challenges[index] ?? '');
  const resignation = guardians.sign(first.person, 'resignGuardian', { beoId: holder.id, guardianId: first.id });
  expect((await service.post('/api/guardian/resign', resignation)).status).toBe(200);
  expect(await rowsOf(first.id)).toEqual([]);
  expectRefusal(await attest(first.person, first.id, challenges[0] ?? ''), 'NOT_FOUND');
  expect(await rowsOf(second.id)).toHaveLength(1);
  await guardians.beo(holder, 'destroy', 'destroyBEO');
  expect(await rowsOf(third.id)).toEqual([]);
  expectRefusal(await attest(third.person, third.id, challenges[2] ?? ''), 'NOT_FOUND');
});
