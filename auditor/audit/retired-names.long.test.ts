import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { refusalOf } from './test-institutions.ts';
import { act, newHolder, query, testOperator } from './test-operator.ts';
import { verify } from './verify.ts';

const digestOf = (domain: string) => createHash('sha256').update(domain).digest('hex');
const DIGESTS = "SELECT encode(digest, 'hex') AS digest FROM retired_names";
const UNDO = `
  DELETE FROM migrations WHERE name = '031-retired-names';
  DROP TRIGGER names_released ON names;
  DROP FUNCTION retire_name;
  DROP TABLE retired_names;
  DELETE FROM names WHERE holder_id IS NULL;
`;

test('the domain of an identity that was destroyed before an update or a restore is never given again', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  const [plain, sealed] = [await newHolder(service), await newHolder(service, { sealed: true })];
  await newHolder(service);
  for (const { person, beoId } of [plain, sealed]) await act(service, person, 'destroyBEO', { beoId });
  const expected = [plain, sealed].map(({ domain }) => ({ digest: digestOf(domain) }));
  await operator.settle(databaseUrl);
  await service.stop();
  const found = async (url: string) => (await query<{ digest: string }>(url, DIGESTS)).toSorted(byDigest);
  expect(await found(databaseUrl)).toEqual(expected.toSorted(byDigest));

  const pool = createPool(databaseUrl, 1, () => undefined);
  await pool.query(UNDO);
  expect(await migrate(pool)).toEqual(['031-retired-names']);
  await pool.end();
  expect(await found(databaseUrl)).toEqual(expected.toSorted(byDigest));

  const restoredUrl = await operator.database();
  const restoredPool = createPool(restoredUrl, 1, () => undefined);
  await migrate(restoredPool);
  // A name that was released longer ago is not written to the database.
  await restoredPool.query('DROP TRIGGER names_released ON names');
  await restoredPool.end();
  const { isClean, text } = await operator.run((parts) => restore({}, parts), restoredUrl);
  expect(isClean, text).toBe(true);
  expect(await found(restoredUrl)).toEqual(expected.toSorted(byDigest));
  await query(restoredUrl, 'DELETE FROM names WHERE holder_id IS NULL');

  const restored = await operator.serve(restoredUrl);
  for (const { domain } of [plain, sealed]) {
    expect(await refusalOf(newHolder(restored, { domain }))).toBe('DOMAIN_TAKEN');
  }
  await newHolder(restored);
  await operator.settle(restoredUrl);
  const verified = await operator.run((parts) => verify({}, parts), restoredUrl);
  expect(verified.isClean, verified.text).toBe(true);
});

const byDigest = (one: { digest: string }, other: { digest: string }) => (one.digest < other.digest ? -1 : 1);
