import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { type AcceptedGuardian, type Guardians, guardiansOf, HOUR, pathOf } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const REQUIRE = '/api/guardian/require-confirmed';
const require = ({ person, id }: Pick<Party, 'person' | 'id'>) =>
  service.post(REQUIRE, guardians.sign(person, 'requireConfirmedGuardians', { beoId: id }));

async function required(holder: Party): Promise<void> {
  const answer = await require(holder);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const openRequest = (holder: Party) => guardians.ask(holder.id, newPerson().publicKey);

describe('an identity that requires confirmed guardians', () => {
  test('shows the requirement publicly and permanently; it can be set once', async () => {
    const holder = await guardians.newHolder();
    expect((await guardians.beoOf(holder.id)).recovery.confirmed_only).toBe(false);
    const { status, body, headers } = await require(holder);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['transactionId', 'receipt', 'recovery']);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    expect(body.recovery).toEqual((await guardians.beoOf(holder.id)).recovery);
    expect(body.recovery).toEqual({ enabled: false, threshold: 2, confirmed_only: true, guardians: [] });
    expectRefusal(await require(holder), 'ALREADY_CONFIRMED');
    expect((await guardians.configure(holder, null)).status).toBe(200);
    expect((await guardians.beoOf(holder.id)).recovery.confirmed_only).toBe(true);
  });

  test('can only be set by the holder, while the identity is neither locked nor destroyed', async () => {
    const { holder, guardians: accepted } = await guardians.guarded();
    for (const { person } of [...accepted, { person: newPerson() }]) {
      expectRefusal(await require({ ...holder, person }), 'INVALID_SIGNATURE');
    }
    const unsigned = guardians.sign(holder.person, 'requireConfirmedGuardians', { beoId: holder.id });
    expectRefusal(await service.post(REQUIRE, { ...unsigned, until: null }), 'VALIDATION_FAILED');
    await guardians.beo(holder, 'lock', 'lockBEO');
    expectRefusal(await require(holder), 'BEO_LOCKED');
    await guardians.beo(holder, 'destroy', 'destroyBEO');
    expectRefusal(await require(holder), 'BEO_DESTROYED');
  });

  test('cannot be recovered by guardians who only accepted', async () => {
    const holder = await guardians.newHolder();
    await required(holder);
    const [primary, secondary] = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')];
    expectRefusal(await openRequest(holder), 'RECOVERY_NOT_CONFIGURED');
    await guardians.confirmed(holder, primary);
    expectRefusal(await openRequest(holder), 'RECOVERY_NOT_CONFIGURED');
    await guardians.confirmed(holder, secondary);
    await guardians.recovered({ holder, guardians: [primary, secondary] });
  });

  test('immediately removes the eligibility and the confirmations of unconfirmed guardians', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 3, confirm: false });
    const [primary, secondary, tertiary] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    shift += 80 * HOUR;
    const next = newPerson();
    const request = await guardians.asked(holder.id, next.publicKey);
    expect((await guardians.confirm(request, holder, next.publicKey, primary)).body.executed).toBe(false);
    await required(holder);
    expect((await guardians.beoOf(holder.id)).active_recovery).toBeNull();
    for (const guardian of accepted) {
      expectRefusal(await guardians.confirm(request, holder, next.publicKey, guardian), 'LINK_EXPIRED');
    }
    await guardians.confirmed(holder, secondary, tertiary);
    const { body } = await guardians.confirm(request, holder, next.publicKey, secondary);
    expect(body).toMatchObject({ confirmations: 1, executed: false });
    expect((await guardians.confirm(request, holder, next.publicKey, tertiary)).body.executed).toBe(true);
    expect((await guardians.beoOf(holder.id)).recovery.confirmed_only).toBe(true);
  });

  test('keeps recent confirmations of guardians after a recovery', async () => {
    const holder = await guardians.newHolder();
    await required(holder);
    const accepted = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')] as const;
    await guardians.confirmed(holder, ...accepted);
    const after = await guardians.recovered({ holder, guardians: accepted });
    shift += HOUR;
    await guardians.recovered({ holder: after, guardians: accepted });
  });

  test('keeps only confirmed guardians eligible after a thief removes them', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ count: 2 });
    const unconfirmed = await guardians.seat(holder, 'tertiary');
    await required(holder);
    await guardians.configure(holder, null);
    const { links } = await guardians.asked(holder.id, newPerson().publicKey);
    expect(links.map(({ role }: { role: string }) => role)).toEqual(accepted.map(({ role }) => role));
    expect(links).toHaveLength(2);
    expect(unconfirmed.role).toBe('tertiary');
    await guardians.recovered({ holder, guardians: accepted });
  });
});

describe('a key in the holder’s configuration', () => {
  const named = (role: AcceptedGuardian['role'], publicKey: string) =>
    guardians.guardian(role, { public_key: publicKey });

  test('counts as confirmed from its acceptance', async () => {
    const [person, primary, secondary] = [newPerson(), newPerson(), newPerson()];
    const recovery = {
      guardians: [
        named('primary', primary.publicKey),
        named('secondary', secondary.publicKey),
        guardians.guardian('tertiary'),
      ],
    };
    const domain = `named-${Date.now().toString(36)}.bsp`;
    const fields = { domain, publicKey: person.publicKey, recovery };
    const created = await service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
    expect(created.status).toBe(201);
    const { beo_id: id, transactionId, invitations } = created.body;
    const holder = { person, id, domain, transactionId };
    const shown = async () =>
      (await guardians.beoOf(id)).recovery.guardians.map(({ confirmed }: { confirmed: boolean }) => confirmed);
    expect(await shown()).toEqual([false, false, false]);
    const people = [primary, secondary, newPerson()];
    const accepted: AcceptedGuardian[] = [];
    for (const [index, { url }] of invitations.entries()) accepted.push(await guardians.seated(url, people[index]));
    expect(await shown()).toEqual([true, true, false]);
    await required(holder);
    const { links } = await guardians.asked(id, newPerson().publicKey);
    expect(links).toHaveLength(2);
    await guardians.recovered({ holder, guardians: accepted as [AcceptedGuardian, AcceptedGuardian] });
  });

  test('of a kept guardian counts as confirmed, and can still be confirmed in public', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ confirm: false });
    await guardians.configure(holder, { guardians: accepted.map(({ role, person }) => named(role, person.publicKey)) });
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ confirmed: true }, { confirmed: true }]);
    await guardians.confirmed(holder, ...accepted);
    const [{ id, person }] = accepted;
    expectRefusal(await guardians.confirmGuardian(holder, id, person.publicKey), 'ALREADY_CONFIRMED');
  });

  test('does not end the eligibility of other guardians, unlike the first confirmGuardian', async () => {
    const { holder, guardians: accepted } = await guardians.guarded({ confirm: false });
    const [primary, secondary] = accepted;
    await guardians.configure(holder, { guardians: [named('primary', primary.person.publicKey)] });
    const other = await guardians.seat(holder, 'tertiary');
    const request = await guardians.asked(holder.id, newPerson().publicKey);
    const roles = request.links.map(({ role }: { role: string }) => role).sort();
    expect(roles).toEqual([primary.role, secondary.role, other.role].sort());
    expect(pathOf(request.links[0].url)).toContain('confirm-recovery');
  });
});
