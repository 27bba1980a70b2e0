import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newHolder, query, testOperator } from '../../auditor/audit/test-operator.ts';
import { databaseProblem } from '../../server/platform/db/database-problem.ts';
import { prepareCluster, SUPERUSER } from '../../server/platform/db/postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { launchPostmaster, stopPostmaster } from '../../server/platform/db/postgres/postmaster.ts';
import { SERVICE_ROLE } from '../../server/platform/db/postgres/service-role.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';

test('the embedded database, copied to a server of its own, serves the same ledger at DATABASE_URL', async () => {
  const operator = await testOperator();
  const embedded = await startEmbeddedPostgres({ dataDir: operator.dataDir, log: () => undefined });
  onTestFinished(async () => void (await embedded.stop()));
  const before = await operator.serve(embedded.url);
  const holder = await newHolder(before, { sealed: true });
  await before.stop();
  await embedded.stop();

  const directory = join(dirname(embedded.directory), 'moved');
  onTestFinished(async () => {
    await stopPostmaster(directory);
    rmSync(directory, { recursive: true, force: true });
    const home = dirname(embedded.directory);
    if (home !== realpathSync(operator.dataDir)) rmSync(home, { recursive: true, force: true });
  });
  execFileSync('cp', ['-a', embedded.directory, directory]);
  const { cluster } = await prepareCluster(operator.dataDir, () => undefined);
  const port = await freePort();
  await launchPostmaster({ ...cluster, directory }, () => undefined, port);
  const superuserPassword = readFileSync(join(operator.dataDir, 'postgres-password'), 'utf8').trim();
  await query(
    `postgres://${SUPERUSER}:${superuserPassword}@127.0.0.1:${port}/perpetua`,
    `ALTER ROLE ${SERVICE_ROLE} PASSWORD 'another'`,
  );
  rmSync(join(operator.dataDir, 'postgres'), { recursive: true });

  const url = `postgres://${SERVICE_ROLE}:another@127.0.0.1:${port}/perpetua`;
  expect(await databaseProblem(url)).toBeNull();
  const after = await operator.serve(url);
  const found = await after.context.readers.BEO.byReference(holder.beoId, 'beoId');
  expect(found?.entity.recovery).toMatchObject({ guardians: [{}, {}] });
  await newHolder(after);
});
