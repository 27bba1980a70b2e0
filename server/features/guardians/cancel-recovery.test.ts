import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { ACCEPT_JSON, type Guarded, type Guardians, guardiansOf } from './test-guardians.ts';

/** POST /api/relayer/beo/cancel-recovery: the holder closes a recovery that a guardian has confirmed. Protocol §3. */
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

test('a request without a confirmation, one of another identity and an invented one are not found', async () => {
  const [guarded, other] = [await guardians.guarded(), await guardians.guarded()];
  const open = await guardians.asked(guarded.holder.id, newPerson().publicKey);
  const foreign = await confirmedRequest(other);
  for (const id of [open.request_id, foreign.request_id, '00000000-0000-4000-8000-000000000000']) {
    expectRefusal(await cancel(guarded.holder, id), 'NOT_FOUND');
  }
  expectRefusal(await cancel(guarded.holder, 'not-an-id'), 'VALIDATION_FAILED');
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
  await save({ requests: [{ ...requests[0], requestId: 'another' }] });
});
