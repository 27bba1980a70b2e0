import pg from 'pg';
import { expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { createRandom } from '../../lab/chaos/random.ts';
import { isRefusal } from '../../protocol/errors.ts';
import { expectExactCounts, holdTokens, waitUntilSettled } from '../../server/write/test-revocations.ts';
import { grant, newInstitution } from './test-institutions.ts';
import { act, newHolder, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

const INTENTS = ['READ_RECORDS', 'EXPORT_DATA', 'SUBMIT_RECORD', 'REQUEST_SCORE'];

test('the ledger, its restore and the database agree on consents that a revocation ended, before and after their rows show it', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  const holders = await Promise.all([1, 2, 3].map(() => newHolder(service)));
  const labs = await Promise.all([1, 2, 3, 4].map(() => newInstitution(service)));
  const random = createRandom(Date.now());
  const granted: { readonly tokenId: string; readonly person: (typeof holders)[0]['person'] }[] = [];
  let revoked = 0;

  /** The number of consents that it revoked. */
  async function step(): Promise<number> {
    const { person, beoId, ...holder } = random.pick(holders);
    const lab = random.pick(labs);
    const revocation = async (name: string, fields: object = {}) =>
      (await act(service, person, name, { beoId, ...fields })).body.revoked_count as number;
    switch (random.whole(1, 12)) {
      case 1:
        return revocation('revokeAllTokens');
      case 2:
        return revocation('revokeAllFromIEO', { ieoId: random.pick([lab.ieoId, beoId]) });
      case 3:
        return revocation('revokeByIntent', { intent: random.pick(INTENTS) });
      case 4: {
        if (granted.length === 0) return 0;
        const { tokenId, person: owner } = random.pick(granted);
        await act(service, owner, 'revokeToken', { tokenId });
        return 1;
      }
      default: {
        const intents = random.shuffled(INTENTS).slice(0, random.whole(1, 3));
        const isOwn = random.chance(0.1) && !intents.includes('SUBMIT_RECORD');
        const { tokenId } = await grant(service, { ...holder, person, beoId }, isOwn ? beoId : lab.ieoId, intents);
        granted.push({ tokenId, person });
        return 0;
      }
    }
  }
  const steps = async (count: number) => {
    const outcomes = await Promise.allSettled(Array.from({ length: count }, step));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') revoked += outcome.value;
      else if (!isRefusal(outcome.reason) || outcome.reason.code === 'INTERNAL') throw outcome.reason;
    }
  };
  const verified = async (url: string) => {
    const { isClean, text } = await operator.run((parts) => verify({}, parts), url);
    expect(isClean, text).toBe(true);
  };
  const stored = (column: string) =>
    query<{ count: number }>(databaseUrl, `SELECT count(${column})::int AS count FROM effective_tokens`);

  for (let round = 0; round < 6; round++) await steps(20);
  const held = await Promise.all(holders.map(({ beoId }) => holdTokens(databaseUrl, beoId)));
  for (let round = 0; round < 4; round++) await steps(20);
  await act(service, labs[3]?.person as never, 'destroyIEO', { ieoId: labs[3]?.ieoId ?? '' });
  await steps(20);
  for (const { person, beoId } of holders) {
    revoked += (await act(service, person, 'revokeByIntent', { beoId, intent: 'READ_RECORDS' })).body
      .revoked_count as number;
  }
  expect(await stored('revoked_at')).toEqual([{ count: revoked }]);
  await operator.settle(databaseUrl);
  expect((await query(databaseUrl, 'SELECT FROM revocations')).length).toBeGreaterThan(0);
  await verified(databaseUrl);

  for (const release of held) await release();
  const pool = new pg.Pool({ connectionString: databaseUrl });
  await waitUntilSettled(pool);
  expect(await stored('stored_revoked_at')).toEqual([{ count: revoked }]);
  await verified(databaseUrl);
  await expectExactCounts(pool);
  await pool.end();
  await service.stop();

  const restoredUrl = await operator.database();
  const { isClean, text } = await operator.run((parts) => restore({}, parts), restoredUrl);
  expect(isClean, text).toBe(true);
  const rows = (url: string) => query(url, 'SELECT id, revoked_at, seq FROM tokens ORDER BY id');
  expect(await rows(restoredUrl)).toEqual(await rows(databaseUrl));
  await operator.serve(restoredUrl);
  const restoredPool = new pg.Pool({ connectionString: restoredUrl });
  await waitUntilSettled(restoredPool);
  await expectExactCounts(restoredPool);
  await restoredPool.end();
});
