import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { ACCEPT_JSON, type Guarded, type Guardians, guardiansOf } from './test-guardians.ts';

/** POST /api/relayer/beo/cancel-recovery: the holder closes a recovery. Protocol §3. */
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService();
  guardians = guardiansOf(service);
});
afterAll(() => service.stop());

const cancel = (holder: Party, requestId: string) =>
  guardians.beo(holder, 'cancel-recovery', 'cancelRecovery', { requestId });

/** A request that the first guardian has confirmed. */
async function confirmedRequest({ holder, guardians: [first] }: Guarded, publicKey = newPerson().publicKey) {
  const request = await guardians.asked(holder.id, publicKey);
  expect((await guardians.confirm(request, holder, publicKey, first)).body).toMatchObject({ confirmations: 1 });
  return { ...request, publicKey };
}

test('the holder closes it: its links report that, and no guardian can confirm it', async () => {
  const guarded = await guardians.guarded();
  const {
    holder,
    guardians: [first, second],
  } = guarded;
  const request = await confirmedRequest(guarded);
  const answer = await cancel(holder, request.request_id);
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ request_id: request.request_id })]);
  expect(await guardians.beoOf(holder.id)).toMatchObject({ active_recovery: null, key_version: 1 });
  for (const guardian of [first, second]) {
    const link = await service.get(guardians.linkFor(request, guardian), ACCEPT_JSON);
    expectRefusal(link, 'REQUEST_CLOSED');
    expect(link.body.details).toEqual({ cancelled_at: answer.body.cancelled_at });
    expectRefusal(await guardians.confirm(request, holder, request.publicKey, guardian), 'REQUEST_CLOSED');
  }
  expectRefusal(await cancel(holder, request.request_id), 'REQUEST_CLOSED');
});

test('only the current key can: not one that was replaced, a guardian, or the key that asks', async () => {
  const guarded = await guardians.guarded();
  const {
    holder,
    guardians: [first],
  } = guarded;
  const next = newPerson();
  await guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
  const asking = newPerson();
  const request = await confirmedRequest({ ...guarded, holder: { ...holder, person: next } }, asking.publicKey);
  for (const person of [holder.person, first.person, asking]) {
    expectRefusal(await cancel({ ...holder, person }, request.request_id), 'INVALID_SIGNATURE');
  }
  expect((await guardians.beoOf(holder.id)).active_recovery).toMatchObject({ confirmations: 1 });
  expect((await cancel({ ...holder, person: next }, request.request_id)).status).toBe(200);
});

test('a request of another identity and an invented one are not found', async () => {
  const [guarded, other] = [await guardians.guarded(), await guardians.guarded()];
  const open = await guardians.asked(other.holder.id, newPerson().publicKey);
  const foreign = await confirmedRequest(other);
  for (const id of [open.request_id, foreign.request_id, '00000000-0000-4000-8000-000000000000']) {
    expectRefusal(await cancel(guarded.holder, id), 'NOT_FOUND');
  }
  expectRefusal(await cancel(guarded.holder, 'not-an-id'), 'VALIDATION_FAILED');
});

/** A request that no guardian has confirmed. */
async function openRequest({ holder }: Guarded) {
  const { publicKey } = newPerson();
  return { ...(await guardians.asked(holder.id, publicKey)), publicKey };
}
const listed = async ({ person, id }: Party) => {
  const { body } = await service.post('/api/guardian/list', guardians.sign(person, 'listGuardians', { beoId: id }));
  return body.open_requests.map((request: { request_id: string }) => request.request_id);
};

test('the holder closes a request before a confirmation: without an entry, and its links report that', async () => {
  const guarded = await guardians.guarded();
  const { holder } = guarded;
  const request = await openRequest(guarded);
  expect(await listed(holder)).toEqual([request.request_id]);
  const { ledger, updated_at } = await guardians.beoOf(holder.id);
  const body = guardians.sign(holder.person, 'cancelRecovery', { beoId: holder.id, requestId: request.request_id });
  const answer = await service.post('/api/relayer/beo/cancel-recovery', body);
  expect([answer.status, answer.body]).toEqual([
    200,
    { transactionId: null, receipt: null, request_id: request.request_id, cancelled_at: expect.any(String) },
  ]);
  expect(answer.headers.get('location')).toBe(null);
  const after = await guardians.beoOf(holder.id);
  expect([after.ledger.seq, after.updated_at]).toEqual([ledger.seq, updated_at]);
  expect(await listed(holder)).toEqual([]);
  for (const guardian of guarded.guardians) {
    const link = await service.get(guardians.linkFor(request, guardian), ACCEPT_JSON);
    expectRefusal(link, 'REQUEST_CLOSED');
    expect(link.body.details).toEqual({ cancelled_at: answer.body.cancelled_at });
    expectRefusal(await guardians.confirm(request, holder, request.publicKey, guardian), 'REQUEST_CLOSED');
  }
  const path = '/api/relayer/beo/cancel-recovery';
  expectRefusal(await service.post(path, body), 'NONCE_REUSED');
  expectRefusal(await cancel(holder, request.request_id), 'REQUEST_CLOSED');
});

test('only the current key cancels a request that no guardian has confirmed', async () => {
  const guarded = await guardians.guarded();
  const { holder } = guarded;
  const request = await openRequest(guarded);
  const next = newPerson();
  await guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey });
  for (const person of [holder.person, guarded.guardians[0].person, newPerson()]) {
    expectRefusal(await cancel({ ...holder, person }, request.request_id), 'INVALID_SIGNATURE');
  }
  expect((await cancel({ ...holder, person: next }, request.request_id)).status).toBe(200);
});

test('cancellations of unconfirmed requests count among themselves, at the time a request was opened', async () => {
  const guarded = await guardians.guarded();
  const { holder } = guarded;
  const before = [await openRequest(guarded), await openRequest(guarded), await openRequest(guarded)];
  for (const { request_id } of before) expect((await cancel(holder, request_id)).status).toBe(200);
  const later = await openRequest(guarded);
  const refused = await cancel(holder, later.request_id);
  expectRefusal(refused, 'RECOVERY_COOLDOWN');
  expect(Object.keys(refused.body.details)).toEqual(['until']);
  // Once a guardian has confirmed it, the ledger decides, which counts none of them.
  expect((await guardians.confirm(later, holder, later.publicKey, guarded.guardians[0])).status).toBe(200);
  expect((await cancel(holder, later.request_id)).body.transactionId).toEqual(expect.any(String));
});

test('no unconfirmed request is cancelled while a removed guardian is still eligible', async () => {
  const guarded = await guardians.guarded({ count: 3 });
  const { holder, guardians: all } = guarded;
  const kept = all.slice(0, 2).map(({ id, role }) => ({ guardian_id: id, role }));
  expect((await guardians.configure(holder, { guardians: kept })).status).toBe(200);
  const request = await openRequest(guarded);
  expectRefusal(await cancel(holder, request.request_id), 'RECOVERY_COOLDOWN');
  expect(await listed(holder)).toEqual([request.request_id]);
});

test('a thief of the key who cancels twice cannot stop the third recovery', async () => {
  const guarded = await guardians.guarded();
  const {
    holder,
    guardians: [, second],
  } = guarded;
  for (let index = 0; index < 2; index += 1) {
    const request = await confirmedRequest(guarded);
    expect((await cancel(holder, request.request_id)).status).toBe(200);
  }
  const request = await confirmedRequest(guarded);
  const refused = await cancel(holder, request.request_id);
  expectRefusal(refused, 'RECOVERY_COOLDOWN');
  expect(Object.keys(refused.body.details)).toEqual(['until']);
  const executed = await guardians.confirm(request, holder, request.publicKey, second);
  expect(executed.body).toMatchObject({ executed: true });
});

test('a process of the version before cannot store a confirmation or a recovery that ignores the cancellation', async () => {
  const guarded = await guardians.guarded();
  const { id } = guarded.holder;
  const { pool } = service.service.context;
  const recoveryIn = async () => (await pool.query('SELECT recovery FROM beos WHERE id = $1', [id])).rows[0].recovery;
  const request = await confirmedRequest(guarded);
  const { requests } = await recoveryIn();
  expect((await cancel(guarded.holder, request.request_id)).status).toBe(200);
  const after = await recoveryIn();
  /** That version saves whole rows, and keeps members of the state that it does not know. */
  const save = (changed: object) =>
    pool.query('UPDATE beos SET recovery = $2 WHERE id = $1', [id, JSON.stringify({ ...after, ...changed })]);
  const refused = { message: `A recovery of the identity ${id} was cancelled by another process.` };
  await expect(save({ requests })).rejects.toMatchObject(refused);
  const recoveredAt = new Date(Date.parse(after.cancelled[0].at) + 1).toISOString();
  await expect(save({ recoveredAt })).rejects.toMatchObject(refused);
  expect(await recoveryIn()).toEqual(after);
  await save({ requests: [{ ...requests[0], requestId: '00000000-0000-4000-8000-000000000000' }] });
  const open = await openRequest(guarded);
  expect((await cancel(guarded.holder, open.request_id)).status).toBe(200);
  await expect(save({ requests: [{ ...requests[0], requestId: open.request_id }] })).rejects.toMatchObject(refused);
});
