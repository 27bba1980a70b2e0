import { expect, onTestFinished, test, vi } from 'vitest';
import { inFull } from '../../protocol/test-amount.ts';
import { guardiansOf } from '../features/guardians/test-guardians.ts';
import { POOL_SIZES } from '../platform/db/connections.ts';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { RESERVED_PER_DAY } from './spend-budget.ts';
import { type Party, partiesOf } from './test-parties.ts';

const longTest = inFull(test);

const MAX_BACKLOG = 99;

/** A service that posts nothing, and refuses what is beyond its budget once the backlog has 99 entries. */
async function poorService(): Promise<TestService> {
  const service = await startTestService({ DAILY_BYTES: '1', MAX_BACKLOG: `${MAX_BACKLOG}` });
  onTestFinished(() => service.stop());
  return service;
}

/** Strangers create identities until the service refuses one. */
async function useUp(service: TestService): Promise<void> {
  const create = () => {
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    return service.post('/api/relayer/beo', person.sign('createBEO', fields));
  };
  let answers: Answer[];
  do answers = await Promise.all(Array.from({ length: 20 }, create));
  while (answers.every(({ status }) => status === 201));
  expect(answers.find(({ status }) => status !== 201)?.body.code).toBe('UNAVAILABLE');
}

function expectAccepted(answer: Answer): void {
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
}

const expectOverBudget = ({ body }: Answer): void => expect(body).toMatchObject({ code: 'UNAVAILABLE' });

test('beyond the budget, whatever only takes rights away or recovers an identity is accepted', async () => {
  const service = await poorService();
  const parties = partiesOf(service);
  const guardians = guardiansOf(service);
  const [holder, clinic, other] = [
    await parties.newHolder(),
    await parties.newInstitution(),
    await parties.newInstitution(),
  ];
  const token = await parties.granted(holder, clinic.id);
  const { holder: lost, guardians: both } = await guardians.guarded();
  const { holder: guarded, guardians: three } = await guardians.guarded({ count: 3 });
  await useUp(service);

  expectOverBudget(await parties.grant(holder, other.id));
  expectOverBudget(await parties.ieo(other, 'contacts', 'updateContacts', { apiEndpoint: null, webhookUrl: null }));
  expectOverBudget(await guardians.invite(holder, 'primary'));
  expectOverBudget(await parties.propose('changeCertLevel', { ieoId: other.id, level: 'BASIC' }));

  expectAccepted(await parties.revoke(holder, token.token_id));
  expect((await parties.verdict(token.token_id)).valid).toBe(false);
  expectAccepted(await parties.revokeFrom(holder, clinic.id));
  expectAccepted(await parties.revokeIntent(holder, 'READ_RECORDS'));
  expectAccepted(await parties.beo(holder, 'revoke-all', 'revokeAllTokens'));
  expectAccepted(await parties.beo(holder, 'lock', 'lockBEO'));
  expectAccepted(await parties.beo(holder, 'unlock', 'unlockBEO'));
  const next = newPerson();
  expectAccepted(await parties.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: next.publicKey }));
  expectAccepted(await parties.beo({ ...holder, person: next }, 'destroy', 'destroyBEO'));

  const key = newPerson().publicKey;
  const stopped = await guardians.asked(lost.id, key);
  expectAccepted(await guardians.confirm(stopped, lost, key, both[0]));
  expectAccepted(await parties.beo(lost, 'cancel-recovery', 'cancelRecovery', { requestId: stopped.request_id }));
  const request = await guardians.asked(lost.id, key);
  for (const guardian of both) expectAccepted(await guardians.confirm(request, lost, key, guardian));
  expect((await guardians.beoOf(lost.id)).public_key).toBe(key);

  const [first, second, third] = three;
  const keeping = (...kept: (typeof three)[number][]) =>
    guardians.configure(guarded, {
      guardians: kept.map(({ role, person }) => guardians.guardian(role, { public_key: person.publicKey })),
    });
  expectAccepted(await keeping(first, second));
  expectOverBudget(
    await guardians.configure(guarded, { guardians: [guardians.guardian('primary'), guardians.guardian('secondary')] }),
  );
  if (third) expectOverBudget(await keeping(first, third));
  const require = guarded.person.sign('requireConfirmedGuardians', { beoId: guarded.id });
  expectAccepted(await service.post('/api/guardian/require-confirmed', require));
  const resign = second.person.sign('resignGuardian', { beoId: guarded.id, guardianId: second.id });
  expectAccepted(await service.post('/api/guardian/resign', resign));
  expectAccepted(await guardians.configure(guarded, null));

  for (const ieo of [clinic, other]) await parties.decide('suspendIEO', { ieoId: ieo.id, reason: 'A complaint.' });
  expectOverBudget(await parties.propose('reinstateIEO', { ieoId: other.id }));
  await parties.decide('revokeIEO', { ieoId: other.id, reason: 'A complaint.' });
  expectAccepted(await parties.ieo(clinic, 'destroy', 'destroyIEO'));

  const { rows } = await service.service.context.pool.query<{ bytes: number }>(
    'SELECT max(octet_length(item)) AS bytes FROM ledger_entries WHERE seq > $1',
    [MAX_BACKLOG],
  );
  expect(rows[0]?.bytes).toBeLessThan(2_048);
});

longTest(
  'each identity has its own reserve a day, which its guardians and other identities cannot use up',
  async () => {
    const service = await poorService();
    const parties = partiesOf(service);
    const guardians = guardiansOf(service);
    const { holder: victim, guardians: both } = await guardians.guarded();
    const attackers = [await parties.newHolder(), await parties.newHolder()];
    await useUp(service);

    const toggle = (party: Party, time: number) =>
      time % 2 === 0 ? parties.beo(party, 'lock', 'lockBEO') : parties.beo(party, 'unlock', 'unlockBEO');
    for (const attacker of attackers) {
      for (let time = 0; time < RESERVED_PER_DAY; time++) expectAccepted(await toggle(attacker, time));
      for (let time = 0; time < 4; time++) expectOverBudget(await toggle(attacker, time));
      // A new key is no new reserve.
      expectOverBudget(await parties.beo(attacker, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }));
    }

    const [first] = both;
    for (let time = 0; time <= RESERVED_PER_DAY; time++) {
      const key = newPerson().publicKey;
      const confirmed = await guardians.confirm(await guardians.asked(victim.id, key), victim, key, first);
      if (time < RESERVED_PER_DAY) expectAccepted(confirmed);
      else expectOverBudget(confirmed);
    }
    expectAccepted(await parties.beo(victim, 'lock', 'lockBEO'));
  },
);

test('an operation with a reserve needs no connection that other requests can hold', async () => {
  const service = await startTestService({}, { databaseWaitMs: null });
  onTestFinished(() => service.stop());
  const parties = partiesOf(service);
  const holder = await parties.newHolder();
  const { pool } = service.service.context;
  const held = Array.from({ length: POOL_SIZES.writes }, () => pool.connect());
  try {
    await vi.waitUntil(() => pool.totalCount === POOL_SIZES.writes && pool.idleCount === 0, { timeout: 240_000 });
    expectAccepted(await parties.beo(holder, 'lock', 'lockBEO'));
  } finally {
    // One connection belongs to the loops, so the last of these is never served.
    for (const one of await Promise.allSettled(held)) if (one.status === 'fulfilled') one.value.release();
  }
});
