import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../test-service.ts';
import type { Fields, Party } from '../write/test-parties.ts';
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

interface Asked extends Guarded {
  readonly key: string;
  readonly request: Answer['body'];
}

/** A request to which guardians have links. */
async function asked(guarded?: Guarded): Promise<Asked> {
  const base = guarded ?? (await guardians.guarded());
  const key = newPerson().publicKey;
  return { ...base, key, request: await guardians.asked(base.holder.id, key) };
}

const confirm = ({ request, holder, key }: Asked, guardian: AcceptedGuardian): Promise<Answer> =>
  guardians.confirm(request, holder, key, guardian);

/** What a guardian signs, with something else in it, sent to that guardian's own link. */
const signed = ({ request, holder, key }: Asked, { person, role }: AcceptedGuardian, more: Fields): Promise<Answer> =>
  service.post(
    guardians.linkFor(request, { role }),
    guardians.confirmation(person, holder.id, request.request_id, key, more),
  );

/** A configuration that keeps these guardians and removes all others. */
const keeping = (holder: Party, ...kept: AcceptedGuardian[]): Promise<Answer> =>
  guardians.configure(holder, {
    guardians: kept.map(({ role, person }) => guardians.guardian(role, { public_key: person.publicKey })),
  });

async function expectSuperseded(story: Asked, guardian: AcceptedGuardian): Promise<void> {
  for (const answer of [await read(guardians.linkFor(story.request, guardian)), await confirm(story, guardian)]) {
    expectRefusal(answer, 'LINK_EXPIRED');
    expect(answer.body.details).toEqual({ reason: 'SUPERSEDED' });
  }
}

const confirmationsOf = async ({ holder }: Asked): Promise<number> =>
  (await guardians.beoOf(holder.id)).active_recovery?.confirmations ?? 0;

describe('a confirmation', () => {
  test('counts once, however often it is sent', async () => {
    const story = await asked();
    const [one, two] = story.guardians;
    const link = guardians.linkFor(story.request, one);
    const body = guardians.confirmation(one.person, story.holder.id, story.request.request_id, story.key);
    const { transactionId } = (await service.post(link, body)).body;
    const replayed = await service.post(link, body);
    expectRefusal(replayed, 'NONCE_REUSED');
    expect(replayed.body.details).toEqual({ transactionId });
    const again = await confirm(story, one);
    expectRefusal(again, 'ALREADY_CONFIRMED');
    expect(again.body.details).toEqual({ confirmations: 1, confirmations_needed: 2 });
    const looked = await read(link);
    expectRefusal(looked, 'LINK_USED');
    expect(looked.body.details).toEqual({ confirmations: 1, confirmations_needed: 2 });
    expectRefusal(await service.post(guardians.linkFor(story.request, two), body), 'INVALID_SIGNATURE');
    expect(await confirmationsOf(story)).toBe(1);
  });

  test('counts for one request: two for two requests execute nothing', async () => {
    const story = await asked();
    const other = await asked(story);
    const [one, two] = story.guardians;
    const body = guardians.confirmation(one.person, story.holder.id, story.request.request_id, story.key);
    const elsewhere = await service.post(guardians.linkFor(other.request, one), body);
    expectRefusal(elsewhere, 'VALIDATION_FAILED');
    expect((await confirm(story, one)).body).toMatchObject({ confirmations: 1, executed: false });
    expect((await confirm(other, two)).body).toMatchObject({ confirmations: 1, executed: false });
    expect(await guardians.beoOf(story.holder.id)).toMatchObject({ key_version: 1, status: 'ACTIVE' });
    const sameKey = await guardians.asked(story.holder.id, story.key);
    expect((await confirm({ ...story, request: sameKey }, two)).body).toMatchObject({ confirmations: 1 });
    expect((await confirm(story, two)).body).toMatchObject({ executed: true });
    for (const late of [other, { ...story, request: sameKey }]) {
      expectRefusal(await confirm(late, one), 'REQUEST_CLOSED');
      expectRefusal(await read(guardians.linkFor(late.request, one)), 'REQUEST_CLOSED');
    }
  });

  test('must match its link in every field', async () => {
    const story = await asked();
    const elsewhere = await asked();
    const [one] = story.guardians;
    await guardians.expectUnchanged(story.holder, async () => {
      const wrong: [string, Fields][] = [
        ['requestId', { requestId: elsewhere.request.request_id }],
        ['requestId', { requestId: randomUUID() }],
        ['beoId', { beoId: elsewhere.holder.id }],
        ['newPublicKey', { newPublicKey: newPerson().publicKey }],
        ['newPublicKey', { newPublicKey: story.holder.person.publicKey }],
      ];
      for (const [path, more] of wrong) {
        const answer = await signed(story, one, more);
        expectRefusal(answer, 'VALIDATION_FAILED');
        expect(answer.body.details.issues[0].path).toBe(path);
      }
      expectRefusal(await signed(story, one, { beoId: randomUUID() }), 'BEO_NOT_FOUND');
      expectRefusal(await signed(story, one, { guardianId: one.id }), 'VALIDATION_FAILED');
      expectRefusal(await signed(story, one, { requestId: 'mine' }), 'VALIDATION_FAILED');
      for (const newPublicKey of SMALL_ORDER_KEYS) {
        expectRefusal(await signed(story, one, { newPublicKey }), 'PUBLIC_KEY_INVALID');
      }
    });
  });

  test('accepts any reference to the identity, and ids and keys in capitals', async () => {
    const story = await asked();
    const [one, two] = story.guardians;
    const capitals = {
      requestId: story.request.request_id.toUpperCase(),
      newPublicKey: story.key.toUpperCase(),
      beoId: story.holder.domain.toUpperCase(),
    };
    expect((await signed(story, one, capitals)).body).toMatchObject({ confirmations: 1 });
    expect((await signed(story, two, { beoId: story.holder.transactionId })).body).toMatchObject({ executed: true });
    expect((await guardians.beoOf(story.holder.id)).public_key).toBe(story.key);
  });

  test('must be signed by the guardian of the link', async () => {
    const story = await asked();
    const [one, two] = story.guardians;
    await guardians.expectUnchanged(story.holder, async () => {
      for (const person of [two.person, story.holder.person, newPerson()]) {
        const answer = await signed(story, { ...one, person }, {});
        expectRefusal(answer, 'INVALID_SIGNATURE');
        expect(answer.body.details).toEqual({ expected_key: 'guardian', message_sha256: A_DIGEST });
      }
      const fields = { requestId: story.request.request_id, beoId: story.holder.id, newPublicKey: story.key };
      const other = guardians.sign(one.person, 'requestRecovery', fields);
      expectRefusal(await service.post(guardians.linkFor(story.request, one), other), 'INVALID_SIGNATURE');
    });
  });

  test('must have a current timestamp', async () => {
    const story = await asked();
    const [one] = story.guardians;
    const fields = { requestId: story.request.request_id, beoId: story.holder.id, newPublicKey: story.key };
    const at = (ms: number) => one.person.sign('confirmRecovery', fields, { timestamp: timestamp(ms) });
    const link = guardians.linkFor(story.request, one);
    expectRefusal(await service.post(link, at(-5 * 60_000 - 2_000)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await service.post(link, at(60_000)), 'TIMESTAMP_IN_FUTURE');
    const { signature: _, ...unsigned } = at(0);
    expectRefusal(await service.post(link, unsigned), 'SIGNATURE_MISSING');
    expect((await service.post(link, at(-4 * 60_000))).status).toBe(200);
  });

  test('must come within 72 hours of the request; older confirmations are no longer shown', async () => {
    const story = await asked();
    const [one, two] = story.guardians;
    shift += 71 * HOUR;
    expect((await confirm(story, one)).status).toBe(200);
    shift += HOUR - 60_000;
    expect((await read(guardians.linkFor(story.request, two))).status).toBe(200);
    expect(await confirmationsOf(story)).toBe(1);
    shift += 120_000;
    expectRefusal(await read(guardians.linkFor(story.request, two)), 'LINK_EXPIRED');
    expectRefusal(await confirm(story, two), 'LINK_EXPIRED');
    expect((await guardians.beoOf(story.holder.id)).active_recovery).toBe(null);
    const renewed = await guardians.recovered(story);
    expect((await guardians.beoOf(renewed.id)).key_version).toBe(2);
  });
});

describe('a guardian', () => {
  test('who was removed may confirm for 72 hours: after 71, and not after 73', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ count: 3 });
    const [one, two, three] = seats as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    expect((await keeping(holder, one, two)).status).toBe(200);
    shift += 70 * HOUR;
    const story = await asked({ holder, guardians: [one, two, three] });
    expect(story.request.links).toHaveLength(3);
    const late = await asked({ holder, guardians: [one, two, three] });
    shift += HOUR;
    expect((await confirm(story, three)).body).toMatchObject({ confirmations: 1 });
    shift += 2 * HOUR;
    await expectSuperseded(late, three);
    expect((await asked({ holder, guardians: [one, two] })).request.links).toHaveLength(2);
    expect((await confirm(story, one)).body).toMatchObject({ executed: true });
    const { recovery } = await guardians.beoOf(holder.id);
    const ids = recovery.guardians.map(({ guardian_id }: { guardian_id: string }) => guardian_id);
    expect(ids).toEqual(expect.arrayContaining([one.id, two.id]));
    expect(ids).not.toContain(three.id);
  });

  test('who was removed and added again is a regular guardian', async () => {
    const { holder, guardians: seats } = await guardians.guarded();
    const [one, two] = seats;
    const first = await guardians.asked(holder.id, newPerson().publicKey);
    expect((await keeping(holder, one)).status).toBe(200);
    const back = await guardians.seat(holder, 'tertiary', two.person);
    expect((await read(guardians.linkFor(first, two))).status).toBe(200);
    const { links } = await guardians.asked(holder.id, newPerson().publicKey);
    expect(links).toHaveLength(2);
    shift += 73 * HOUR;
    // The holder signed for this key before, and it never ceased to count.
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ role: 'primary' }, { role: 'tertiary', confirmed: true }]);
    await guardians.recovered({ holder, guardians: [one, back] });
  });

  test('whom the holder never confirmed is not eligible once another is confirmed', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ count: 3, confirm: false });
    const [one, two, three] = seats as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const story = await asked({ holder, guardians: [one, two, three] });
    await guardians.confirmed(holder, one, two);
    await expectSuperseded(story, three);
    expect((await asked({ holder, guardians: [one, two] })).request.links).toHaveLength(2);
    expect((await confirm(story, one)).status).toBe(200);
    expect((await confirm(story, two)).body).toMatchObject({ executed: true });
  });

  test('whom the holder did not confirm loses an earlier confirmation', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ count: 3, confirm: false });
    const [one, two, stranger] = seats as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const story = await asked({ holder, guardians: [one, two, stranger] });
    expect((await confirm(story, stranger)).body).toMatchObject({ confirmations: 1 });
    await guardians.confirmed(holder, one, two);
    expect((await confirm(story, one)).body).toMatchObject({ executed: false });
    expect(await guardians.beoOf(holder.id)).toMatchObject({ key_version: 1, public_key: holder.person.publicKey });
    expect((await confirm(story, two)).body).toMatchObject({ executed: true });
  });

  test('who never accepted, or was removed before being eligible, gets no link', async () => {
    const { holder, guardians: seats } = await guardians.guarded();
    await guardians.invited(holder, 'tertiary');
    const { request } = await asked({ holder, guardians: seats });
    expect(request.links.map(({ role }: { role: string }) => role)).toEqual(['primary', 'secondary']);
    expect((await keeping(holder, ...seats)).status).toBe(200);
    const unconfirmed = await guardians.seat(holder, 'tertiary');
    expect((await keeping(holder, ...seats)).status).toBe(200);
    const { recovery } = await guardians.beoOf(holder.id);
    expect(JSON.stringify(recovery)).not.toContain(unconfirmed.id);
    expect((await asked({ holder, guardians: seats })).request.links).toHaveLength(2);
    await wholeChain(service.service.context.pool);
  });

  test('keeps the last ten confirmations', async () => {
    const { holder, guardians: seats } = await guardians.guarded();
    const stories: Asked[] = [];
    for (let count = 0; count < 11; count++) {
      const story = await asked({ holder, guardians: seats });
      expect((await confirm(story, seats[0])).body).toMatchObject({ confirmations: 1 });
      stories.push(story);
      shift += 1_000;
    }
    const [forgotten, ...remembered] = stories as [Asked, ...Asked[]];
    expect((await confirm(forgotten, seats[1])).body).toMatchObject({ confirmations: 1, executed: false });
    expect((await confirm(remembered[0] as Asked, seats[1])).body).toMatchObject({ executed: true });
  });

  test('of a destroyed identity has nothing to confirm', async () => {
    const story = await asked();
    const [one, two] = story.guardians;
    expect((await confirm(story, one)).status).toBe(200);
    expect((await guardians.beo(story.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    for (const answer of [await read(guardians.linkFor(story.request, two)), await confirm(story, two)]) {
      expectRefusal(answer, 'LINK_EXPIRED');
      expect(answer.body.details).toMatchObject({ reason: 'DESTROYED' });
    }
    expect(await guardians.beoOf(story.holder.id)).toMatchObject({ status: 'DESTROYED', active_recovery: null });
  });
});
