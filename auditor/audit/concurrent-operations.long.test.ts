import { expect, test } from 'vitest';
import type { Service } from '../../server/processes/service.ts';
import {
  addGuardian,
  confirmGuardian,
  confirmRecovery,
  type Guarded,
  newGuarded,
  openRequest,
} from './test-guardians.ts';
import {
  decide,
  decideTogether,
  type Grant,
  grant,
  type Institution,
  newInstitution,
  submit,
} from './test-institutions.ts';
import { act, type Holder, newHolder, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

const LIMIT = 25;
const INTENTS = ['READ_RECORDS', 'EXPORT_DATA', 'ANALYZE_VITALITY', 'REQUEST_SCORE'] as const;
const intentOf = (number: number) => INTENTS[number % INTENTS.length] as (typeof INTENTS)[number];

/** Sends all operations concurrently; from round six on, three people and four institutions are destroyed or revoked. */
function sendAll(service: Service, round: number, people: readonly Holder[], institutions: readonly Institution[]) {
  const consents = people.flatMap((holder, n) =>
    institutions.flatMap(({ ieoId, domain }, m) => [
      grant(service, holder, ieoId, [intentOf(round + m)]).then(({ tokenId }) =>
        (round + n) % 3 === 0 ? act(service, holder.person, 'revokeToken', { tokenId }) : null,
      ),
      ...((round + n + m) % 5 === 0
        ? [act(service, holder.person, 'revokeAllFromIEO', { beoId: holder.domain, ieoId: domain })]
        : []),
    ]),
  );
  const withdrawals = people.flatMap(({ person, beoId }, n) => [
    act(service, person, 'revokeByIntent', { beoId, intent: intentOf(round + n) }),
    ...(round % 5 === n ? [act(service, person, 'revokeAllTokens', { beoId })] : []),
    ...(round === 4 + n && n > 2 ? [act(service, person, 'destroyBEO', { beoId })] : []),
  ]);
  const decisions = institutions
    .slice(0, 4)
    .flatMap(({ ieoId, domain, person }, m) => [
      decide(service, 'updateCertification', { ieoId: domain, level: 'BASIC' }, 1),
      ...(round === 5 + m && m % 2 === 0 ? [act(service, person, 'destroyIEO', { ieoId })] : []),
      ...(round === 5 + m && m % 2 === 1 ? [decideTogether(service, 'revokeIEO', { ieoId, reason: 'Proven.' })] : []),
    ]);
  return [...consents, ...withdrawals, ...decisions];
}

/** An institution with consents to submit. */
interface Submitter {
  readonly holder: Holder;
  readonly institution: Institution;
  readonly consent: Grant;
}

/** Each holder grants each institution a consent to submit; half of them with a limit. */
const submitters = (service: Service, people: readonly Holder[], institutions: readonly Institution[]) =>
  Promise.all(
    people.flatMap((holder, n) =>
      institutions.map(async (institution, m): Promise<Submitter> => {
        const limits = (n + m) % 2 === 0 ? { max_records: LIMIT } : {};
        const consent = await grant(service, holder, institution.ieoId, ['SUBMIT_RECORD'], null, limits);
        return { holder, institution, consent };
      }),
    ),
  );

/**
 * Submits batches of several sizes to all holders through both processes, in waves. From the fourth wave on, consents are
 * withdrawn and people and institutions locked, suspended and destroyed at the same time.
 */
async function submitConcurrently(services: readonly [Service, Service], all: readonly Submitter[]) {
  const outcomes: PromiseSettledResult<unknown>[] = [];
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) throw new Error('There are no submitters.');
  const { person, beoId } = first.holder;
  const { ieoId } = first.institution;
  for (let wave = 0; wave < 9; wave += 1) {
    const [service, second] = wave % 2 === 0 ? services : services.toReversed();
    if (!service || !second) throw new Error('Two processes are needed.');
    const batches = all.flatMap(({ institution, holder, consent }, n) => [
      submit(service, institution, holder, consent, 1 + ((wave + n) % 7)),
      submit(second, institution, holder, consent, 1 + (n % 3)),
    ]);
    const meanwhile = [
      () => act(service, person, 'lockBEO', { beoId }),
      () => act(second, person, 'unlockBEO', { beoId }),
      () => decideTogether(service, 'suspendIEO', { ieoId, reason: 'A complaint.' }),
      () => decideTogether(second, 'reinstateIEO', { ieoId }),
      () => act(service, person, 'revokeToken', { tokenId: first.consent.tokenId }),
      () => act(second, last.institution.person, 'destroyIEO', { ieoId: last.institution.ieoId }),
      () => act(service, last.holder.person, 'destroyBEO', { beoId: last.holder.beoId }),
    ][wave - 2];
    outcomes.push(...(await Promise.allSettled([...batches, ...(meanwhile ? [meanwhile()] : [])])));
  }
  return outcomes;
}

/** Guardians accept, resign, are confirmed and confirm recoveries concurrently, in waves, because a recovery closes open requests. */
async function changeGuardiansConcurrently(services: readonly [Service, Service], holder: Guarded, waves: number) {
  const { beoId, domain, guardians } = holder;
  const outcomes: PromiseSettledResult<unknown>[] = [];
  let { person } = holder;
  for (let wave = 0; wave < waves; wave += 1) {
    const service = services[wave % 2] as Service;
    const opening = openRequest(service, wave % 2 === 0 ? domain : beoId);
    const kept = guardians
      .filter((_, n) => n !== wave % 3)
      .map(({ role, person: { publicKey } }) => {
        return { name: 'Kept', contact: 'kept@example.org', role, public_key: publicKey };
      });
    const settled = await Promise.allSettled([
      ...guardians
        .slice(wave === 0 ? 2 : 0)
        .map(async (guardian) => confirmRecovery(service, holder, await opening, guardian)),
      ...guardians.map((guardian) => confirmGuardian(service, { person, beoId }, guardian)),
      act(service, person, 'updateBEORecovery', { beoId, recovery: { guardians: kept } }),
      ...guardians.map(({ role }) => addGuardian(service, { person, beoId }, role)),
      act(service, person, wave % 2 === 1 ? 'lockBEO' : 'unlockBEO', { beoId }),
      ...(wave === waves - 1
        ? guardians.map(({ person, guardianId }) => act(service, person, 'resignGuardian', { beoId, guardianId }))
        : []),
      ...(wave === waves - 1 ? [act(service, person, 'requireConfirmedGuardians', { beoId })] : []),
    ]);
    if (settled.some(hasMoved)) person = (await opening).next;
    outcomes.push(...settled);
  }
  return outcomes;
}

const hasMoved = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'fulfilled' &&
  (outcome.value as { body?: { executed?: boolean } } | null)?.body?.executed === true;

/** The number of consents that an operation reports as ended. */
function endedBy(outcome: unknown): number {
  const { body } = (outcome ?? {}) as { body?: { revoked_count?: number; revoked_at?: string } };
  return body?.revoked_count ?? (body?.revoked_at ? 1 : 0);
}

/** The record count of a consent, of its entries and of the vault of live holders must be equal. */
async function expectCounted(databaseUrl: string, all: readonly Submitter[]): Promise<void> {
  const rows = await query<{ id: string; submitted: number; found: number; lives: boolean; most: number | null }>(
    databaseUrl,
    `SELECT t.id, t.submitted::int, (SELECT count(*)::int FROM records r WHERE r.token_id = t.id) AS found,
       b.status <> 'DESTROYED' AS lives, (t.scope ->> 'max_records')::int AS most
     FROM tokens t JOIN beos b ON b.id = t.beo_id WHERE t.scope -> 'intents' = '["SUBMIT_RECORD"]'`,
  );
  const ids = new Set(all.map(({ consent }) => consent.tokenId));
  expect(rows.filter(({ id }) => ids.has(id))).toHaveLength(ids.size);
  for (const { submitted, found, lives, most } of rows) {
    expect(found).toBe(lives ? submitted : 0);
    expect(submitted).toBeLessThanOrEqual(most ?? Number.POSITIVE_INFINITY);
  }
  const kept = await query(
    databaseUrl,
    `SELECT owner_id FROM (SELECT owner_id, sum(count) AS count FROM record_counts GROUP BY 1) c FULL JOIN
       (SELECT owner_id, count(*) AS found FROM records GROUP BY 1) r USING (owner_id) WHERE count IS DISTINCT FROM found`,
  );
  expect(kept).toEqual([]);
}

test('concurrent operations of all kinds through two processes leave exactly the state of the ledger', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  const second = await operator.serve(databaseUrl);
  const people = await Promise.all(Array.from({ length: 6 }, () => newHolder(service)));
  const institutions = await Promise.all(Array.from({ length: 6 }, () => newInstitution(service)));
  const guarded = await Promise.all(Array.from({ length: 4 }, (_, n) => newGuarded(service, n % 2 === 0 ? 0 : 3)));
  const measured = await Promise.all(Array.from({ length: 4 }, () => newHolder(service)));
  const laboratories = await Promise.all(Array.from({ length: 3 }, () => newInstitution(service)));
  const submitting = await submitters(service, measured, laboratories);
  const guarding = guarded.map((holder) => changeGuardiansConcurrently([service, second], holder, 4));
  const recording = submitConcurrently([service, second], submitting);
  const rounds = Array.from({ length: 12 }, (_, round) =>
    sendAll(round % 2 === 0 ? service : second, round, people, institutions),
  );
  const outcomes = [
    ...(await Promise.allSettled(rounds.flat())),
    ...(await Promise.all([...guarding, recording])).flat(),
  ];
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  for (const code of ['INTERNAL', undefined]) expect(refused).not.toContain(code);
  const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const ended = done.reduce((sum: number, outcome) => sum + endedBy(outcome), 0);
  const [row] = await query<{ ended: number }>(
    databaseUrl,
    'SELECT count(revoked_at)::int AS ended FROM effective_tokens',
  );
  expect(row?.ended).toBe(ended);
  expect(ended).toBeGreaterThan(20);

  const written = await query<{ function: string; count: number }>(
    databaseUrl,
    'SELECT function, count(*)::int FROM ledger_entries GROUP BY 1',
  );
  const counts = Object.fromEntries(written.map(({ function: name, count }) => [name, count]));
  expect(counts.confirmRecovery).toBeGreaterThan(2 * guarded.length);
  for (const name of ['inviteGuardian', 'acceptGuardian', 'confirmGuardian', 'updateRecovery']) {
    expect(counts).toHaveProperty(name);
  }
  await expectCounted(databaseUrl, submitting);
  expect(refused).toContain('RECORD_LIMIT_REACHED');
  expect(counts.submitRecords).toBeGreaterThan(50);

  const moved = outcomes.filter(hasMoved);
  expect(moved.length).toBeGreaterThan(guarded.length);

  await operator.settle(databaseUrl);
  const { verdict, text } = await operator.run((parts) => verify({}, parts), databaseUrl);
  expect(text).not.toContain('BREACH');
  expect(text).toContain('live: 10 identities, 4 institutions');
  const [confirmed, asserted] = [...text.matchAll(/(\d+) recover(?:y|ies) (?:by|with)/g)].map(([, count]) =>
    Number(count),
  );
  expect((confirmed ?? 0) + (asserted ?? 0)).toBe(moved.length);
  expect(verdict).toBe(asserted ? 'asserted' : 'clean');
});
