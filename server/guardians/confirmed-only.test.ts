import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { newPerson, startTestService, type TestService } from '../test-service.ts';
import type { Party } from '../write/test-parties.ts';
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

const asks = (holder: Party) => guardians.ask(holder.id, newPerson().publicKey);

describe('an identity that requires confirmed guardians', () => {
  test('shows it publicly and permanently, and accepts it once', async () => {
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

  test('can be required by the holder alone, while it is neither locked nor destroyed', async () => {
    const { holder, guardians: seats } = await guardians.guarded();
    for (const { person } of [...seats, { person: newPerson() }]) {
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
    const [one, two] = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')];
    expectRefusal(await asks(holder), 'RECOVERY_NOT_CONFIGURED');
    await guardians.confirmed(holder, one);
    expectRefusal(await asks(holder), 'RECOVERY_NOT_CONFIGURED');
    await guardians.confirmed(holder, two);
    await guardians.recovered({ holder, guardians: [one, two] });
  });

  test('removes the eligibility of unconfirmed guardians and their confirmations at once', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ count: 3, confirm: false });
    const [one, two, three] = seats as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    shift += 80 * HOUR;
    const next = newPerson();
    const request = await guardians.asked(holder.id, next.publicKey);
    expect((await guardians.confirm(request, holder, next.publicKey, one)).body.executed).toBe(false);
    await required(holder);
    expect((await guardians.beoOf(holder.id)).active_recovery).toBeNull();
    for (const guardian of seats) {
      expectRefusal(await guardians.confirm(request, holder, next.publicKey, guardian), 'LINK_EXPIRED');
    }
    await guardians.confirmed(holder, two, three);
    const { body } = await guardians.confirm(request, holder, next.publicKey, two);
    expect(body).toMatchObject({ confirmations: 1, executed: false });
    expect((await guardians.confirm(request, holder, next.publicKey, three)).body.executed).toBe(true);
    expect((await guardians.beoOf(holder.id)).recovery.confirmed_only).toBe(true);
  });

  test('keeps its confirmations after a recovery, however young they are', async () => {
    const holder = await guardians.newHolder();
    await required(holder);
    const seats = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')] as const;
    await guardians.confirmed(holder, ...seats);
    const after = await guardians.recovered({ holder, guardians: seats });
    shift += HOUR;
    await guardians.recovered({ holder: after, guardians: seats });
  });

  test('keeps a confirmed guardian eligible after a thief removes them, and no other', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ count: 2 });
    const third = await guardians.seat(holder, 'tertiary');
    await required(holder);
    await guardians.configure(holder, null);
    const { links } = await guardians.asked(holder.id, newPerson().publicKey);
    expect(links.map(({ role }: { role: string }) => role)).toEqual(seats.map(({ role }) => role));
    expect(links).toHaveLength(2);
    expect(third.role).toBe('tertiary');
    await guardians.recovered({ holder, guardians: seats });
  });
});

describe('a key in the holder’s configuration', () => {
  const named = (role: AcceptedGuardian['role'], publicKey: string) =>
    guardians.guardian(role, { public_key: publicKey });

  test('counts as confirmed from the acceptance on', async () => {
    const [person, one, two] = [newPerson(), newPerson(), newPerson()];
    const recovery = {
      guardians: [named('primary', one.publicKey), named('secondary', two.publicKey), guardians.guardian('tertiary')],
    };
    const domain = `named-${Date.now().toString(36)}.bsp`;
    const fields = { domain, publicKey: person.publicKey, recovery };
    const created = await service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
    expect(created.status).toBe(201);
    const { beo_id: id, transactionId, invitations } = created.body;
    const holder = { person, id, domain, transactionId };
    const shown = async () =>
      (await guardians.beoOf(id)).recovery.guardians.map((one: { confirmed: boolean }) => one.confirmed);
    expect(await shown()).toEqual([false, false, false]);
    const people = [one, two, newPerson()];
    const seats: AcceptedGuardian[] = [];
    for (const [index, { url }] of invitations.entries()) seats.push(await guardians.seated(url, people[index]));
    expect(await shown()).toEqual([true, true, false]);
    await required(holder);
    const { links } = await guardians.asked(id, newPerson().publicKey);
    expect(links).toHaveLength(2);
    await guardians.recovered({ holder, guardians: seats as [AcceptedGuardian, AcceptedGuardian] });
  });

  test('of a guardian who is kept is confirmed too, and can still be signed for in public', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ confirm: false });
    await guardians.configure(holder, { guardians: seats.map(({ role, person }) => named(role, person.publicKey)) });
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery.guardians).toMatchObject([{ confirmed: true }, { confirmed: true }]);
    await guardians.confirmed(holder, ...seats);
    const [{ id, person }] = seats;
    expectRefusal(await guardians.confirmGuardian(holder, id, person.publicKey), 'ALREADY_CONFIRMED');
  });

  test('does not stop others from counting, as the first confirmGuardian does', async () => {
    const { holder, guardians: seats } = await guardians.guarded({ confirm: false });
    const [one, two] = seats;
    await guardians.configure(holder, { guardians: [named('primary', one.person.publicKey)] });
    const other = await guardians.seat(holder, 'tertiary');
    const request = await guardians.asked(holder.id, newPerson().publicKey);
    const roles = request.links.map(({ role }: { role: string }) => role).sort();
    expect(roles).toEqual([one.role, two.role, other.role].sort());
    expect(pathOf(request.links[0].url)).toContain('confirm-recovery');
  });
});
