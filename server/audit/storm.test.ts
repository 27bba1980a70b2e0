import { expect, test } from 'vitest';
import type { Service } from '../service.ts';
import { decide, decideTogether, grant, type Institution, newInstitution } from './test-dealings.ts';
import { act, type Holder, newHolder, operatorHouse, query } from './test-ground.ts';
import { verify } from './verify.ts';

const INTENTS = ['READ_RECORDS', 'EXPORT_DATA', 'ANALYZE_VITALITY', 'REQUEST_SCORE'] as const;
const intentOf = (number: number) => INTENTS[number % INTENTS.length] as (typeof INTENTS)[number];

/** All of it is sent at once; in the rounds from the sixth on, three people and four institutions come to their end. */
function storm(service: Service, round: number, people: readonly Holder[], institutions: readonly Institution[]) {
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

/** How many consents an operation says that it has ended. */
function endedBy(outcome: unknown): number {
  const { body } = (outcome ?? {}) as { body?: { revoked_count?: number; revoked_at?: string } };
  return body?.revoked_count ?? (body?.revoked_at ? 1 : 0);
}

test('everything at once, in the same batches of two processes, leaves what the ledger says, and nothing else', async () => {
  const house = await operatorHouse();
  const databaseUrl = await house.database();
  const service = await house.serve(databaseUrl);
  const other = await house.serve(databaseUrl);
  const people = await Promise.all(Array.from({ length: 6 }, () => newHolder(service)));
  const institutions = await Promise.all(Array.from({ length: 6 }, () => newInstitution(service)));
  const rounds = Array.from({ length: 12 }, (_, round) =>
    storm(round % 2 === 0 ? service : other, round, people, institutions),
  );
  const outcomes = await Promise.allSettled(rounds.flat());
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  for (const code of ['INTERNAL', undefined]) expect(refused).not.toContain(code);
  const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const ended = done.reduce((sum: number, outcome) => sum + endedBy(outcome), 0);
  const [row] = await query<{ ended: number }>(databaseUrl, 'SELECT count(revoked_at)::int AS ended FROM tokens');
  expect(row?.ended).toBe(ended);
  expect(ended).toBeGreaterThan(20);

  await house.settle(databaseUrl);
  const { inOrder, text } = await house.run((parts) => verify({}, parts), databaseUrl);
  expect(text).toContain('No breach was found.');
  expect(text).toContain('living: 3 identities, 2 institutions');
  expect(inOrder).toBe(true);
});
