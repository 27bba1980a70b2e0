import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import {
  ACCEPT_JSON,
  type AcceptedGuardian,
  type Guarded,
  type Guardians,
  guardiansOf,
  HOUR,
  SMALL_ORDER_KEYS,
} from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const read = (path: string) => service.get(path, ACCEPT_JSON);
const timestamp = (ms = 0) => new Date(Date.now() + shift + ms).toISOString();

interface OpenRequest extends Guarded {
  readonly key: string;
  readonly request: Answer['body'];
}

/** Opens a recovery request. */
async function openRequest(guarded?: Guarded): Promise<OpenRequest> {
  const base = guarded ?? (await guardians.guarded());
  const key = newPerson().publicKey;
  return { ...base, key, request: await guardians.asked(base.holder.id, key) };
}

const confirm = ({ request, holder, key }: OpenRequest, guardian: AcceptedGuardian): Promise<Answer> =>
  guardians.confirm(request, holder, key, guardian);

/** Sends a guardian's confirmation with changed fields to the guardian's link. */
const signed = (
  { request, holder, key }: OpenRequest,
  { person, role }: AcceptedGuardian,
  more: Fields,
): Promise<Answer> =>
  service.post(
    guardians.linkFor(request, { role }),
    guardians.confirmation(person, holder.id, request.request_id, key, more),
  );

/** A configuration that keeps these guardians and removes all others. */
const keeping = (holder: Party, ...kept: AcceptedGuardian[]): Promise<Answer> =>
  guardians.configure(holder, {
    guardians: kept.map(({ role, person }) => guardians.guardian(role, { public_key: person.publicKey })),
  });

async function expectSuperseded(attempt: OpenRequest, guardian: AcceptedGuardian): Promise<void> {
  for (const answer of [await read(guardians.linkFor(attempt.request, guardian)), await confirm(attempt, guardian)]) {
    expectRefusal(answer, 'LINK_EXPIRED');
    expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
  }
}

const confirmationsOf = async ({ holder }: OpenRequest): Promise<number> =>
  (await guardians.beoOf(holder.id)).active_recovery?.confirmations ?? 0;

describe('a confirmation', () => {
  test('counts once if sent repeatedly', async () => {
    const attempt = await openRequest();
    const [primary, secondary] = attempt.guardians;
    const link = guardians.linkFor(attempt.request, primary);
    const body = guardians.confirmation(primary.person, attempt.holder.id, attempt.request.request_id, attempt.key);
    const { transactionId } = (await service.post(link, body)).body;
    const replayed = await service.post(link, body);
    expectRefusal(replayed, 'NONCE_REUSED');
    expect(replayed.body.details).toEqual({ transactionId });
    const again = await confirm(attempt, primary);
    expectRefusal(again, 'ALREADY_CONFIRMED');
    expect(again.body.details).toEqual({ confirmations: 1, confirmations_needed: 2 });
    const readResponse = await read(link);
    expectRefusal(readResponse, 'LINK_USED');
    expect(readResponse.body.details).toEqual({ confirmations: 1, confirmations_needed: 2 });
    expectRefusal(await service.post(guardians.linkFor(attempt.request, secondary), body), 'INVALID_SIGNATURE');
    expect(await confirmationsOf(attempt)).toBe(1);
  });

  test('counts for one request only: two for different requests do not execute a recovery', async () => {
    const attempt = await openRequest();
    const otherRequest = await openRequest(attempt);
    const [primary, secondary] = attempt.guardians;
    const body = guardians.confirmation(primary.person, attempt.holder.id, attempt.request.request_id, attempt.key);
    const elsewhere = await service.post(guardians.linkFor(otherRequest.request, primary), body);
    expectRefusal(elsewhere, 'VALIDATION_FAILED');
    expect((await confirm(attempt, primary)).body).toMatchObject({ confirmations: 1, executed: false });
    expect((await confirm(otherRequest, secondary)).body).toMatchObject({ confirmations: 1, executed: false });
    expect(await guardians.beoOf(attempt.holder.id)).toMatchObject({ key_version: 1, status: 'ACTIVE' });
    const sameKey = await guardians.asked(attempt.holder.id, attempt.key);
    expect((await confirm({ ...attempt, request: sameKey }, secondary)).body).toMatchObject({ confirmations: 1 });
    expect((await confirm(attempt, secondary)).body).toMatchObject({ executed: true });
    for (const late of [otherRequest, { ...attempt, request: sameKey }]) {
      expectRefusal(await confirm(late, primary), 'REQUEST_CLOSED');
      expectRefusal(await read(guardians.linkFor(late.request, primary)), 'REQUEST_CLOSED');
    }
  });

  test('must match its link in every field', async () => {
    const attempt = await openRequest();
    const elsewhere = await openRequest();
    const [primary] = attempt.guardians;
    await guardians.expectUnchanged(attempt.holder, async () => {
      const wrong: [string, Fields][] = [
        ['requestId', { requestId: elsewhere.request.request_id }],
        ['requestId', { requestId: randomUUID() }],
        ['beoId', { beoId: elsewhere.holder.id }],
        ['newPublicKey', { newPublicKey: newPerson().publicKey }],
        ['newPublicKey', { newPublicKey: attempt.holder.person.publicKey }],
      ];
      for (const [path, more] of wrong) {
        const answer = await signed(attempt, primary, more);
        expectRefusal(answer, 'VALIDATION_FAILED');
        expect(answer.body.details.issues[0].path).toBe(path);
      }
      expectRefusal(await signed(attempt, primary, { beoId: randomUUID() }), 'BEO_NOT_FOUND');
      expectRefusal(await signed(attempt, primary, { guardianId: primary.id }), 'VALIDATION_FAILED');
      expectRefusal(await signed(attempt, primary, { requestId: 'invalid' }), 'VALIDATION_FAILED');
      for (const newPublicKey of SMALL_ORDER_KEYS) {
        expectRefusal(await signed(attempt, primary, { newPublicKey }), 'PUBLIC_KEY_INVALID');
      }
    });
  });

  test('accepts any reference to the identity, and upper-case ids and keys', async () => {
    const attempt = await openRequest();
    const [primary, secondary] = attempt.guardians;
    const capitals = {
      requestId: attempt.request.request_id.toUpperCase(),
      newPublicKey: attempt.key.toUpperCase(),
      beoId: attempt.holder.domain.toUpperCase(),
    };
    expect((await signed(attempt, primary, capitals)).body).toMatchObject({ confirmations: 1 });
    expect((await signed(attempt, secondary, { beoId: attempt.holder.transactionId })).body).toMatchObject({
      executed: true,
    });
    expect((await guardians.beoOf(attempt.holder.id)).public_key).toBe(attempt.key);
  });

  test('must be signed by the guardian of the link', async () => {
    const attempt = await openRequest();
    const [primary, secondary] = attempt.guardians;
    await guardians.expectUnchanged(attempt.holder, async () => {
      for (const person of [secondary.person, attempt.holder.person, newPerson()]) {
        const answer = await signed(attempt, { ...primary, person }, {});
        expectRefusal(answer, 'INVALID_SIGNATURE');
        expect(answer.body.details).toEqual({ expected_key: 'guardian', message_sha256: A_DIGEST });
      }
      const fields = { requestId: attempt.request.request_id, beoId: attempt.holder.id, newPublicKey: attempt.key };
      const other = guardians.sign(primary.person, 'requestRecovery', fields);
      expectRefusal(await service.post(guardians.linkFor(attempt.request, primary), other), 'INVALID_SIGNATURE');
    });
  });

  test('must have a current timestamp', async () => {
    const attempt = await openRequest();
    const [primary] = attempt.guardians;
    const fields = { requestId: attempt.request.request_id, beoId: attempt.holder.id, newPublicKey: attempt.key };
    const at = (ms: number) => primary.person.sign('confirmRecovery', fields, { timestamp: timestamp(ms) });
    const link = guardians.linkFor(attempt.request, primary);
    expectRefusal(await service.post(link, at(-5 * 60_000 - 2_000)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await service.post(link, at(60_000)), 'TIMESTAMP_IN_FUTURE');
    const { signature: _, ...unsigned } = at(0);
    expectRefusal(await service.post(link, unsigned), 'SIGNATURE_MISSING');
    expect((await service.post(link, at(-4 * 60_000))).status).toBe(200);
  });

  test('must come within 72 hours of the request; older confirmations are no longer shown', async () => {
    const attempt = await openRequest();
    const [primary, secondary] = attempt.guardians;
    shift += 71 * HOUR;
    expect((await confirm(attempt, primary)).status).toBe(200);
    shift += HOUR - 60_000;
    expect((await read(guardians.linkFor(attempt.request, secondary))).status).toBe(200);
    expect(await confirmationsOf(attempt)).toBe(1);
    shift += 120_000;
    expectRefusal(await read(guardians.linkFor(attempt.request, secondary)), 'LINK_EXPIRED');
    expectRefusal(await confirm(attempt, secondary), 'LINK_EXPIRED');
    expect((await guardians.beoOf(attempt.holder.id)).active_recovery).toBe(null);
    const renewed = await guardians.recovered(attempt);
    expect((await guardians.beoOf(renewed.id)).key_version).toBe(2);
  });
});

describe('a guardian', () => {
  test('who was removed can confirm after 71 hours, but not after 73', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3 });
    const [primary, secondary, tertiary] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    expect((await keeping(holder, primary, secondary)).status).toBe(200);
    shift += 70 * HOUR;
    const attempt = await openRequest({ holder, guardians: [primary, secondary, tertiary] });
    expect(attempt.request.links).toHaveLength(3);
    const late = await openRequest({ holder, guardians: [primary, secondary, tertiary] });
    shift += HOUR;
    expect((await confirm(attempt, tertiary)).body).toMatchObject({ confirmations: 1 });
    shift += 2 * HOUR;
    await expectSuperseded(late, tertiary);
    expect((await openRequest({ holder, guardians: [primary, secondary] })).request.links).toHaveLength(2);
    expect((await confirm(attempt, primary)).body).toMatchObject({ executed: true });
    const { recovery } = await guardians.beoOf(holder.id);
    const ids = recovery.guardians.map(({ guardian_id }: { guardian_id: string }) => guardian_id);
    expect(ids).toEqual(expect.arrayContaining([primary.id, secondary.id]));
    expect(ids).not.toContain(tertiary.id);
  });

  test('who was removed and added again is a regular guardian', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    const [primary, secondary] = accepted;
    const first = await guardians.asked(holder.id, newPerson().publicKey);
    expect((await keeping(holder, primary)).status).toBe(200);
    const back = await guardians.seat(holder, 'tertiary', secondary.person);
    expect((await read(guardians.linkFor(first, secondary))).status).toBe(200);
    const { links } = await guardians.asked(holder.id, newPerson().publicKey);
    expect(links).toHaveLength(2);
    shift += 73 * HOUR;
    // The holder confirmed this key before, and the confirmation still counts.
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ role: 'primary' }, { role: 'tertiary', confirmed: true }]);
    await guardians.recovered({ holder, guardians: [primary, back] });
  });

  test('whom the holder never confirmed is not eligible once another is confirmed', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3, confirm: false });
    const [primary, secondary, tertiary] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const attempt = await openRequest({ holder, guardians: [primary, secondary, tertiary] });
    await guardians.confirmed(holder, primary, secondary);
    await expectSuperseded(attempt, tertiary);
    expect((await openRequest({ holder, guardians: [primary, secondary] })).request.links).toHaveLength(2);
    expect((await confirm(attempt, primary)).status).toBe(200);
    expect((await confirm(attempt, secondary)).body).toMatchObject({ executed: true });
  });

  test('whom the holder did not confirm loses an earlier confirmation', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3, confirm: false });
    const [primary, secondary, stranger] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const attempt = await openRequest({ holder, guardians: [primary, secondary, stranger] });
    expect((await confirm(attempt, stranger)).body).toMatchObject({ confirmations: 1 });
    await guardians.confirmed(holder, primary, secondary);
    expect((await confirm(attempt, primary)).body).toMatchObject({ executed: false });
    expect(await guardians.beoOf(holder.id)).toMatchObject({ key_version: 1, public_key: holder.person.publicKey });
    expect((await confirm(attempt, secondary)).body).toMatchObject({ executed: true });
  });

  test('who never accepted, or was removed before being eligible, gets no link', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    await guardians.invited(holder, 'tertiary');
    const { request } = await openRequest({ holder, guardians: accepted });
    expect(request.links.map(({ role }: { role: string }) => role)).toEqual(['primary', 'secondary']);
    expect((await keeping(holder, ...accepted)).status).toBe(200);
    const unconfirmed = await guardians.seat(holder, 'tertiary');
    expect((await keeping(holder, ...accepted)).status).toBe(200);
    const { recovery } = await guardians.beoOf(holder.id);
    expect(JSON.stringify(recovery)).not.toContain(unconfirmed.id);
    expect((await openRequest({ holder, guardians: accepted })).request.links).toHaveLength(2);
    await wholeChain(service.service.context.pool);
  });

  test('keeps the last ten confirmations', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    const attempts: OpenRequest[] = [];
    for (let count = 0; count < 11; count++) {
      const attempt = await openRequest({ holder, guardians: accepted });
      expect((await confirm(attempt, accepted[0])).body).toMatchObject({ confirmations: 1 });
      attempts.push(attempt);
      shift += 1_000;
    }
    const [dropped, ...kept] = attempts as [OpenRequest, ...OpenRequest[]];
    expect((await confirm(dropped, accepted[1])).body).toMatchObject({ confirmations: 1, executed: false });
    expect((await confirm(kept[0] as OpenRequest, accepted[1])).body).toMatchObject({ executed: true });
  });

  test('of a destroyed identity cannot confirm', async () => {
    const attempt = await openRequest();
    const [primary, secondary] = attempt.guardians;
    expect((await confirm(attempt, primary)).status).toBe(200);
    expect((await guardians.beo(attempt.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    for (const answer of [
      await read(guardians.linkFor(attempt.request, secondary)),
      await confirm(attempt, secondary),
    ]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toMatchObject({ reason: 'DESTROYED' });
    }
    expect(await guardians.beoOf(attempt.holder.id)).toMatchObject({ status: 'DESTROYED', active_recovery: null });
  });
});
