import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, type Person, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import {
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

const LIST = '/api/guardian/list';
const GUARDED = '/api/guardian/guarded';
const RESIGN = '/api/guardian/resign';

const list = ({ person, id }: Pick<Party, 'person' | 'id'>) =>
  service.post(LIST, guardians.sign(person, 'listGuardians', { beoId: id }));
const guarded = (person: Person, publicKey = person.publicKey) =>
  service.post(GUARDED, guardians.sign(person, 'listGuarded', { publicKey }));
const resign = ({ person, id }: Pick<AcceptedGuardian, 'person' | 'id'>, beoId: string) =>
  service.post(RESIGN, guardians.sign(person, 'resignGuardian', { beoId, guardianId: id }));
const guardedIds = async (person: Person) =>
  (await guarded(person)).body.guarded.map(({ beo_id }: { beo_id: string }) => beo_id);

async function lastSeq(): Promise<number> {
  return (await service.get('/api/ledger')).body.head.seq;
}

describe('the open requests of an identity', () => {
  test('are listed with confirmed and signed ones first, which those of strangers cannot hide', async () => {
    const guarded = await guardians.guarded();
    const { holder } = guarded;
    const [signing, confirmed] = [newPerson(), newPerson().publicKey];
    const first = await guardians.asked(holder.id, confirmed);
    const fields = { beoId: holder.id, newPublicKey: signing.publicKey };
    const { body: second } = await service.post(
      '/api/relayer/beo/request-recovery',
      guardians.sign(signing, 'requestRecovery', fields),
    );
    await service.service.context.pool.query(
      `INSERT INTO recovery_requests (id, beo_id, new_public_key, opened_at, is_signed, requester, network)
       SELECT gen_random_uuid(), beo_id, new_public_key, opened_at + interval '1 second', false, requester, network
       FROM recovery_requests, generate_series(1, 25) WHERE id = $1`,
      [first.request_id],
    );
    expect((await guardians.confirm(first, holder, confirmed, guarded.guardians[0])).status).toBe(200);
    const { open_requests: listed } = (await list(holder)).body;
    expect(listed).toHaveLength(20);
    expect(listed.slice(0, 2).map(({ request_id }: { request_id: string }) => request_id)).toEqual([
      first.request_id,
      second.request_id,
    ]);
  });
});

describe('the guardians of an identity', () => {
  test('are listed for the holder with names and contacts, which are not on the ledger', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    const pending = await guardians.invited(holder, 'tertiary');
    const before = await lastSeq();
    const { status, headers, body } = await list(holder);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const { recovery } = await guardians.beoOf(holder.id);
    const named = recovery.guardians.map((guardian: { role: string; status: string }) => ({
      ...guardian,
      eligible: guardian.status === 'ACTIVE',
      name: `The ${guardian.role} guardian`,
      contact: `${guardian.role}@example.org`,
      attested_on: null,
      practised: null,
    }));
    expect(body).toEqual({ beo_id: holder.id, recovery: { ...recovery, guardians: named }, open_requests: [] });
    expect(named.map(({ guardian_id }: { guardian_id: string }) => guardian_id)).toEqual([
      ...accepted.map(({ id }) => id),
      pending.guardianId,
    ]);
    expect(await lastSeq()).toBe(before);
  });

  test('are listed for the holder only, once per signature, while locked, but not after a destruction', async () => {
    const {
      holder,
      guardians: [primary],
    } = await guardians.guarded();
    for (const person of [primary.person, newPerson()]) {
      const answer = await list({ ...holder, person });
      expectRefusal(answer, 'INVALID_SIGNATURE');
      expect(answer.body.details).toMatchObject({ expected_key: 'BEO' });
    }
    const request = guardians.sign(holder.person, 'listGuardians', { beoId: holder.domain });
    expect((await service.post(LIST, request)).status).toBe(200);
    expectRefusal(await service.post(LIST, request), 'NONCE_REUSED');
    expectRefusal(await service.post(LIST, { ...request, limit: 5 }), 'VALIDATION_FAILED');
    await guardians.beo(holder, 'lock', 'lockBEO');
    expect((await list(holder)).status).toBe(200);
    await guardians.beo(holder, 'destroy', 'destroyBEO');
    expectRefusal(await list(holder), 'BEO_DESTROYED');
    expectRefusal(await list({ ...holder, id: 'unknown.bsp' }), 'BEO_NOT_FOUND');
  });
});

describe('the identities that a key guards', () => {
  test('are listed for the holder of the key, each with its status', async () => {
    const person = newPerson();
    const [firstHolder, secondHolder] = [await guardians.newHolder(), await guardians.newHolder()];
    const first = await guardians.seat(firstHolder, 'primary', person);
    const second = await guardians.seat(secondHolder, 'tertiary', person);
    await guardians.confirmed(firstHolder, first);
    await guardians.beo(secondHolder, 'lock', 'lockBEO');
    const { status, headers, body } = await guarded(person, person.publicKey.toUpperCase());
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body)).toEqual(['public_key', 'guarded', 'has_more']);
    expect(body).toMatchObject({ public_key: person.publicKey, has_more: false });
    const accepted_at = expect.stringMatching(/Z$/);
    const shown = { accepted_at, attested_on: null, challenge: expect.stringMatching(/^[\w-]{100,}$/) };
    const common = { status: 'ACTIVE', eligible: true, eligible_until: null, ...shown };
    const counts = { eligible_guardians: 1, confirmations_needed: 2 };
    const ofFirst = {
      beo_id: firstHolder.id,
      beo_domain: firstHolder.domain,
      beo_status: 'ACTIVE',
      guardian_id: first.id,
      role: 'primary',
    };
    const ofSecond = {
      beo_id: secondHolder.id,
      beo_domain: secondHolder.domain,
      beo_status: 'LOCKED',
      guardian_id: second.id,
      role: 'tertiary',
    };
    expect(body.guarded).toHaveLength(2);
    expect(body.guarded).toEqual(
      expect.arrayContaining([
        { ...ofFirst, ...common, confirmed: true, ...counts },
        { ...ofSecond, ...common, confirmed: false, ...counts },
      ]),
    );
  });

  test('exclude unaccepted invitations and destroyed identities, and require the key’s signature', async () => {
    const person = newPerson();
    const holder = await guardians.newHolder();
    const named = guardians.guardian('primary', { public_key: person.publicKey });
    const { body } = await guardians.configure(holder, { guardians: [named] });
    expect(await guardedIds(person)).toEqual([]);
    await guardians.seated(body.invitations[0].url, person);
    expect(await guardedIds(person)).toEqual([holder.id]);
    const stranger = newPerson();
    expectRefusal(await guarded(stranger, person.publicKey), 'INVALID_SIGNATURE');
    expect(await guardedIds(stranger)).toEqual([]);
    for (const key of SMALL_ORDER_KEYS) expectRefusal(await guarded(person, key), 'PUBLIC_KEY_INVALID');
    const request = guardians.sign(person, 'listGuarded', { publicKey: person.publicKey });
    expect((await service.post(GUARDED, request)).status).toBe(200);
    expectRefusal(await service.post(GUARDED, request), 'NONCE_REUSED');
    await guardians.beo(holder, 'destroy', 'destroyBEO');
    expect(await guardedIds(person)).toEqual([]);
  });

  test('include identities that removed the guardian while still eligible', async () => {
    const {
      holder,
      guardians: [primary],
    } = await guardians.guarded();
    await guardians.configure(holder, null);
    const { body } = await guarded(primary.person);
    const [removed] = body.guarded;
    expect(removed).toMatchObject({ beo_id: holder.id, status: 'REMOVED', eligible: true });
    expect(Date.parse(removed.eligible_until)).toBeGreaterThan(Date.now() + shift);
    shift += 72 * HOUR;
    expect(await guardedIds(primary.person)).toEqual([]);
  });

  test('are found by an index', async () => {
    const { pool } = service.service.context;
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL enable_seqscan = off');
      const { rows } = await client.query(
        `EXPLAIN SELECT id FROM beos WHERE recovery @? '$.guardians[*].acceptedAt ? (@ != null)'
           AND accepted_guardian_keys(recovery) ? 'aa' LIMIT 1001`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('beos_guardian_keys');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});

describe('a guardian who resigns', () => {
  async function resigned({ holder, guardians: [primary] }: Guarded) {
    const answer = await resign(primary, holder.id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer;
  }

  test('is removed immediately, including the name, by an entry that the guardian signed', async () => {
    const party = await guardians.guarded();
    const {
      holder,
      guardians: [primary, secondary],
    } = party;
    const { body } = await resigned(party);
    expect(Object.keys(body)).toEqual(['transactionId', 'receipt', 'guardian_id', 'status', 'beo_domain']);
    expect(body).toMatchObject({ guardian_id: primary.id, status: 'REMOVED', beo_domain: holder.domain });
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery.guardians.map((guardian: { guardian_id: string }) => guardian.guardian_id)).toEqual([secondary.id]);
    expect((await list(holder)).body.recovery.guardians).toHaveLength(1);
    const { rows } = await service.service.context.pool.query('SELECT FROM vault_rows WHERE id = $1', [
      `guardian:${primary.id}`,
    ]);
    expect(rows).toEqual([]);
    expect(await guardedIds(primary.person)).toEqual([]);
    expectRefusal(await guardians.ask(holder.id, newPerson().publicKey), 'RECOVERY_NOT_CONFIGURED');
    expectRefusal(await resign(primary, holder.id), 'NOT_FOUND');
  });

  test('withdraws their confirmations', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3 });
    const [primary, secondary, tertiary] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const next = newPerson();
    const request = await guardians.asked(holder.id, next.publicKey);
    await guardians.confirm(request, holder, next.publicKey, primary);
    await resigned({ holder, guardians: accepted });
    expect((await guardians.beoOf(holder.id)).active_recovery).toBeNull();
    expectRefusal(await guardians.confirm(request, holder, next.publicKey, primary), 'LINK_EXPIRED');
    expect((await guardians.confirm(request, holder, next.publicKey, secondary)).body.executed).toBe(false);
    expect((await guardians.confirm(request, holder, next.publicKey, tertiary)).body.executed).toBe(true);
  });

  test('can resign after being removed, and is not restored by a recovery', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3 });
    const [primary, secondary, tertiary] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    await guardians.configure(holder, null);
    await resigned({ holder, guardians: accepted });
    const after = await guardians.recovered({ holder, guardians: [secondary, tertiary] });
    const { recovery } = await guardians.beoOf(after.id);
    expect(recovery.guardians.map((guardian: { guardian_id: string }) => guardian.guardian_id).sort()).toEqual(
      [secondary.id, tertiary.id].sort(),
    );
    expect(await guardedIds(primary.person)).toEqual([]);
  });

  test('must be the guardian: not the holder, another guardian, an invitee or another identity’s guardian', async () => {
    const {
      holder,
      guardians: [primary, secondary],
    } = await guardians.guarded();
    const {
      guardians: [foreignGuardian],
    } = await guardians.guarded();
    for (const person of [holder.person, secondary.person, foreignGuardian.person]) {
      const answer = await resign({ ...primary, person }, holder.id);
      expectRefusal(answer, 'INVALID_SIGNATURE');
      expect(answer.body.details).toMatchObject({ expected_key: 'guardian' });
    }
    const { guardianId } = await guardians.invited(holder, 'tertiary');
    expectRefusal(await resign({ id: guardianId, person: newPerson() }, holder.id), 'NOT_FOUND');
    expectRefusal(await resign(foreignGuardian, holder.id), 'NOT_FOUND');
    await guardians.beo(holder, 'lock', 'lockBEO');
    expectRefusal(await resign(primary, holder.id), 'BEO_LOCKED');
    await guardians.beo(holder, 'destroy', 'destroyBEO');
    expectRefusal(await resign(primary, holder.id), 'BEO_DESTROYED');
  });
});
