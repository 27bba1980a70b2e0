import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../test-service.ts';
import type { Party } from '../write/test-parties.ts';
import { type AcceptedGuardian, type Guarded, type Guardians, guardiansOf, HOUR, ROLES } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

/** What somebody can do who has the holder's key. Answers the party that the thief acts as afterwards. */
type Theft = (victim: Guarded) => Promise<Party>;

const done = async (holder: Party, ...acts: Promise<Answer>[]): Promise<Party> => {
  for (const { status, body } of await Promise.all(acts)) expect(status, JSON.stringify(body)).toBe(200);
  return holder;
};

const keyed = ({ role, person }: AcceptedGuardian) => guardians.guardian(role, { public_key: person.publicKey });

const rotate: Theft = async ({ holder }) => {
  const person = newPerson();
  await done(holder, guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey }));
  return { ...holder, person };
};
const removeAll: Theft = ({ holder }) => done(holder, guardians.configure(holder, null));
const disable: Theft = ({ holder, guardians: seats }) =>
  done(holder, guardians.configure(holder, { enabled: false, guardians: seats.map(keyed) }));
const lock: Theft = ({ holder }) => done(holder, guardians.beo(holder, 'lock', 'lockBEO'));
const confirmOne: Theft = async ({ holder, guardians: [one] }) =>
  done(holder, guardians.confirmGuardian(holder, one.id, one.person.publicKey));
const replaceAll: Theft = async ({ holder }) => {
  await done(holder, guardians.configure(holder, { guardians: [] }));
  for (const role of ROLES) await guardians.confirmed(holder, await guardians.seat(holder, role));
  return holder;
};
const replaceAgainAndAgain: Theft = async (victim) => {
  await replaceAll(victim);
  await disable({ ...victim, guardians: victim.guardians });
  await removeAll(victim);
  return replaceAll(victim);
};

const THEFTS: [string, Theft][] = [
  ['rotates the key', rotate],
  ['removes all guardians', removeAll],
  ['switches recovery off', disable],
  ['locks the identity', lock],
  ['confirms one guardian, so that the others would not count', confirmOne],
  ['replaces all guardians by accomplices', replaceAll],
  ['replaces them again and again', replaceAgainAndAgain],
  [
    'removes all guardians, rotates the key and locks',
    async (victim) => {
      const holder = await rotate({ ...victim, holder: await removeAll(victim) });
      return lock({ ...victim, holder });
    },
  ],
];

/** A holder of long standing whose guardians were never confirmed, as the weakest there is. */
async function longStanding(): Promise<Guarded> {
  const guarded = await guardians.guarded({ confirm: false });
  shift += 73 * HOUR;
  return guarded;
}

describe('a thief of the key who', () => {
  test.each(THEFTS)('%s does not cancel a running recovery', async (_, theft) => {
    const victim = await longStanding();
    const {
      holder,
      guardians: [one, two],
    } = victim;
    const next = newPerson();
    const request = await guardians.asked(holder.domain, next.publicKey);
    expect((await guardians.confirm(request, holder, next.publicKey, one)).status).toBe(200);
    const thief = await theft(victim);
    expect((await guardians.beoOf(holder.id)).active_recovery).toMatchObject({
      request_id: request.request_id,
      confirmations: 1,
    });
    expect((await guardians.confirm(request, holder, next.publicKey, two)).body).toMatchObject({ executed: true });
    await expectThrownOut(victim, thief, { ...holder, person: next });
  });

  test.each(THEFTS)('%s does not prevent a new recovery 71 hours later', async (_, theft) => {
    const victim = await longStanding();
    const thief = await theft(victim);
    shift += 71 * HOUR;
    const next = newPerson();
    const request = await guardians.asked(victim.holder.id, next.publicKey);
    for (const guardian of victim.guardians) {
      const answer = await confirmByOwnLink(request, victim.holder, next.publicKey, guardian);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    await expectThrownOut(victim, thief, { ...victim.holder, person: next });
  });

  test('removes all guardians prevents a recovery after 73 hours', async () => {
    const victim = await longStanding();
    const thief = await removeAll(victim);
    shift += 73 * HOUR;
    expectRefusal(await guardians.ask(victim.holder.id, newPerson().publicKey), 'RECOVERY_NOT_CONFIGURED');
    expect((await guardians.beoOf(victim.holder.id)).recovery.guardians).toEqual([]);
    expect((await guardians.beo(thief, 'destroy', 'destroyBEO')).status).toBe(200);
  });

  test('recovers with accomplices restores the original guardians', async () => {
    const victim = await longStanding();
    const { holder } = victim;
    await done(holder, guardians.configure(holder, { guardians: [] }));
    const [one, two] = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')];
    await guardians.confirmed(holder, one, two);
    const loot = newPerson();
    const request = await guardians.asked(holder.id, loot.publicKey);
    for (const guardian of [one, two]) {
      expect((await confirmByOwnLink(request, holder, loot.publicKey, guardian)).status).toBe(200);
    }
    const thief = { ...holder, person: loot };
    expect((await guardians.beoOf(holder.id)).public_key).toBe(loot.publicKey);
    expectRefusal(await guardians.configure(thief, null), 'RECOVERY_COOLDOWN');
    const renewed = await guardians.recovered({ holder: thief, guardians: victim.guardians });
    await expectThrownOut(victim, thief, renewed);
  });
});

/** A removed guardian and the one in its place share a role, and so two links: only the one made for a key takes it. */
async function confirmByOwnLink(
  request: Answer['body'],
  holder: Party,
  key: string,
  guardian: AcceptedGuardian,
): Promise<Answer> {
  const own = request.links.filter(({ role }: { role: string }) => role === guardian.role);
  for (const link of own) {
    const answer = await guardians.confirm({ ...request, links: [link] }, holder, key, guardian);
    if (answer.body.code !== 'INVALID_SIGNATURE') return answer;
  }
  throw new Error(`None of the links is the ${guardian.role} guardian’s.`);
}

/** The new key rules, the thief's does not, and the guardians are the ones that were there before. */
async function expectThrownOut(victim: Guarded, thief: Party, renewed: Party): Promise<void> {
  const beo = await guardians.beoOf(renewed.id);
  expect(beo).toMatchObject({ public_key: renewed.person.publicKey, active_recovery: null });
  for (const key of [thief, victim.holder]) {
    expectRefusal(
      await guardians.beo(key, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
      'INVALID_SIGNATURE',
    );
  }
  const seats = beo.recovery.guardians.map((guardian: Record<string, unknown>) => [
    guardian.guardian_id,
    guardian.role,
    guardian.status,
  ]);
  expect(seats).toEqual(expect.arrayContaining(victim.guardians.map(({ id, role }) => [id, role, 'ACTIVE'])));
  expect(beo.recovery.enabled).toBe(true);
  expect(await guardians.asked(renewed.id, newPerson().publicKey)).toMatchObject({ confirmations_needed: 2 });
}

test('the ledger contains all of it in order', async () => {
  await wholeChain(service.service.context.pool);
});
