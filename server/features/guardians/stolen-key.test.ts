import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { type AcceptedGuardian, type Guarded, type Guardians, guardiansOf, HOUR, ROLES } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

/** Operations of a thief with the holder's key. Returns the party with the thief's current key. */
type Theft = (victim: Guarded) => Promise<Party>;

const succeed = async (holder: Party, ...acts: Promise<Answer>[]): Promise<Party> => {
  for (const { status, body } of await Promise.all(acts)) expect(status, JSON.stringify(body)).toBe(200);
  return holder;
};

const keep = ({ role, person }: AcceptedGuardian) => guardians.guardian(role, { public_key: person.publicKey });

const rotate: Theft = async ({ holder }) => {
  const person = newPerson();
  await succeed(holder, guardians.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey }));
  return { ...holder, person };
};
const removeAll: Theft = ({ holder }) => succeed(holder, guardians.configure(holder, null));
const disable: Theft = ({ holder, guardians: accepted }) =>
  succeed(holder, guardians.configure(holder, { enabled: false, guardians: accepted.map(keep) }));
const lock: Theft = ({ holder }) => succeed(holder, guardians.beo(holder, 'lock', 'lockBEO'));
const confirmOne: Theft = async ({ holder, guardians: [primary] }) =>
  succeed(holder, guardians.confirmGuardian(holder, primary.id, primary.person.publicKey));
const replaceAll: Theft = async ({ holder }) => {
  await succeed(holder, guardians.configure(holder, { guardians: [] }));
  for (const role of ROLES) await guardians.confirmed(holder, await guardians.seat(holder, role));
  return holder;
};
const replaceRepeatedly: Theft = async (victim) => {
  await replaceAll(victim);
  await disable({ ...victim, guardians: victim.guardians });
  await removeAll(victim);
  return replaceAll(victim);
};

const THEFTS: [string, Theft][] = [
  ['rotates the key', rotate],
  ['removes all guardians', removeAll],
  ['disables recovery', disable],
  ['locks the identity', lock],
  ['confirms one guardian, to make the others ineligible', confirmOne],
  ['replaces all guardians by accomplices', replaceAll],
  ['replaces them repeatedly', replaceRepeatedly],
  [
    'removes all guardians, rotates the key and locks',
    async (victim) => {
      const holder = await rotate({ ...victim, holder: await removeAll(victim) });
      return lock({ ...victim, holder });
    },
  ],
];

/** A holder whose guardians accepted long ago but were never confirmed: the weakest case. */
async function unconfirmedGuardians(): Promise<Guarded> {
  const guarded = await guardians.guarded({ confirm: false });
  shift += 73 * HOUR;
  return guarded;
}

describe('a thief of the key who', () => {
  test.each(THEFTS)('%s does not cancel a running recovery', async (_, theft) => {
    const victim = await unconfirmedGuardians();
    const {
      holder,
      guardians: [primary, secondary],
    } = victim;
    const next = newPerson();
    const request = await guardians.asked(holder.domain, next.publicKey);
    expect((await guardians.confirm(request, holder, next.publicKey, primary)).status).toBe(200);
    const thief = await theft(victim);
    expect((await guardians.beoOf(holder.id)).active_recovery).toMatchObject({
      request_id: request.request_id,
      confirmations: 1,
    });
    expect((await guardians.confirm(request, holder, next.publicKey, secondary)).body).toMatchObject({
      executed: true,
    });
    await expectRecovered(victim, thief, { ...holder, person: next });
  });

  test.each(THEFTS)('%s does not prevent a new recovery 71 hours later', async (_, theft) => {
    const victim = await unconfirmedGuardians();
    const thief = await theft(victim);
    shift += 71 * HOUR;
    const next = newPerson();
    const request = await guardians.asked(victim.holder.id, next.publicKey);
    for (const guardian of victim.guardians) {
      const answer = await confirmByOwnLink(request, victim.holder, next.publicKey, guardian);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
    await expectRecovered(victim, thief, { ...victim.holder, person: next });
  });

  test('removes all guardians prevents a recovery after 73 hours', async () => {
    const victim = await unconfirmedGuardians();
    const thief = await removeAll(victim);
    shift += 73 * HOUR;
    expectRefusal(await guardians.ask(victim.holder.id, newPerson().publicKey), 'RECOVERY_NOT_CONFIGURED');
    expect((await guardians.beoOf(victim.holder.id)).recovery.guardians).toEqual([]);
    expect((await guardians.beo(thief, 'destroy', 'destroyBEO')).status).toBe(200);
  });

  test('recovers with accomplices restores the original guardians', async () => {
    const victim = await unconfirmedGuardians();
    const { holder } = victim;
    await succeed(holder, guardians.configure(holder, { guardians: [] }));
    const [primary, secondary] = [await guardians.seat(holder, 'primary'), await guardians.seat(holder, 'secondary')];
    await guardians.confirmed(holder, primary, secondary);
    const stolenKey = newPerson();
    const request = await guardians.asked(holder.id, stolenKey.publicKey);
    for (const guardian of [primary, secondary]) {
      expect((await confirmByOwnLink(request, holder, stolenKey.publicKey, guardian)).status).toBe(200);
    }
    const thief = { ...holder, person: stolenKey };
    expect((await guardians.beoOf(holder.id)).public_key).toBe(stolenKey.publicKey);
    expectRefusal(await guardians.configure(thief, null), 'RECOVERY_COOLDOWN');
    const renewed = await guardians.recovered({ holder: thief, guardians: victim.guardians });
    await expectRecovered(victim, thief, renewed);
  });
});

/** A removed guardian and its successor share a role, so there are two links, and each accepts only one key. */
async function confirmByOwnLink(
  request: Answer['body'],
  holder: Party,
  key: string,
  guardian: AcceptedGuardian,
): Promise<Answer> {
  const links = request.links.filter(({ role }: { role: string }) => role === guardian.role);
  for (const link of links) {
    const answer = await guardians.confirm({ ...request, links: [link] }, holder, key, guardian);
    if (answer.body.code !== 'INVALID_SIGNATURE') return answer;
  }
  throw new Error(`No link belongs to the ${guardian.role} guardian.`);
}

/** Expects that the new key is current, the thief's key is refused, and the original guardians are active. */
async function expectRecovered(victim: Guarded, thief: Party, renewed: Party): Promise<void> {
  const beo = await guardians.beoOf(renewed.id);
  expect(beo).toMatchObject({ public_key: renewed.person.publicKey, active_recovery: null });
  for (const key of [thief, victim.holder]) {
    expectRefusal(
      await guardians.beo(key, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
      'INVALID_SIGNATURE',
    );
  }
  const accepted = beo.recovery.guardians.map((guardian: Record<string, unknown>) => [
    guardian.guardian_id,
    guardian.role,
    guardian.status,
  ]);
  expect(accepted).toEqual(expect.arrayContaining(victim.guardians.map(({ id, role }) => [id, role, 'ACTIVE'])));
  expect(beo.recovery.enabled).toBe(true);
  expect(await guardians.asked(renewed.id, newPerson().publicKey)).toMatchObject({ confirmations_needed: 2 });
}

test('the resulting ledger is valid', async () => {
  await wholeChain(service.service.context.pool);
});
