import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Grant, grant, newInstitution, submit } from '../../auditor/audit/test-institutions.ts';
import { act, type Holder, newHolder, query, testOperator } from '../../auditor/audit/test-operator.ts';
import { verify } from '../../auditor/audit/verify.ts';
import { readRecords } from '../../server/features/records/read-records.ts';
import type { Service } from '../../server/processes/service.ts';
import { findTraces } from '../traces/find-traces.ts';
import { restoreBackup } from './restore-files.ts';
import { checkBackup, takeBackup } from './take-backup.ts';
import { backedUp } from './test-backup.ts';

const FILTERS = {
  ...{ categories: null, biomarkers: null, levels: null, from: null, to: null },
  ...{ status: 'ACTIVE' as const, limit: 100, offset: 0 },
};

test('after the disk is lost, the state of a point in time returns, and what was destroyed later stays destroyed', async () => {
  const operator = await testOperator();
  const backup = backedUp(operator);
  const before = await backup.start();
  const service = await operator.serve(before.url);
  const lab = await newInstitution(service, 'LAB');
  const [kept, destroyed] = [await newHolder(service, { sealed: true }), await newHolder(service, { sealed: true })];
  const consents = {
    kept: await grant(service, kept, lab.ieoId, ['SUBMIT_RECORD']),
    destroyed: await grant(service, destroyed, lab.ieoId, ['SUBMIT_RECORD']),
  };
  const own = await grant(service, kept, kept.domain, ['READ_RECORDS', 'EXPORT_DATA']);
  await submit(service, lab, kept, consents.kept, 3);
  await submit(service, lab, destroyed, consents.destroyed, 2);

  // An address for alerts, a queued mail, and requests for a consent of an institution that has ended since.
  const ended = '00000000-0000-4000-8000-000000000000';
  const [token, address] = [`'\\x00'`, `(SELECT id FROM alert_addresses)`];
  for (const text of [
    `INSERT INTO alert_settings VALUES ('${kept.beoId}', '{}', 'en', now())`,
    `INSERT INTO alert_addresses VALUES (gen_random_uuid(), '${kept.beoId}', ${token}, now(), now())`,
    `INSERT INTO alert_mails VALUES (gen_random_uuid(), 'alertFrozen', '${kept.beoId}', ${address}, 'x', now(), 'en', 'infinity')`,
    `INSERT INTO consent_requests VALUES ('a', '${ended}', 'infinity', ''), ('b', '${lab.ieoId}', 'infinity', '')`,
  ])
    await query(before.url, text);

  const taken = await backup.run((parts) => takeBackup(backup.backups, { keepMs: null }, parts));
  expect(taken.text).toMatch(/^Backed up [\d.]+ MB as [\d.]+ MB/);
  const check = (directory: string) => backup.run((parts) => checkBackup(directory, parts));
  expect((await check(backup.backups)).text).toMatch(/ is intact, and restores up to /);
  // As the mount point of a disk that is not mounted.
  await expect(check(operator.dataDir)).rejects.toThrow(
    / holds no backup of a database: check that its disk is mounted/,
  );

  await submit(service, lab, kept, consents.kept, 4);
  const later = await newHolder(service, { sealed: true });
  const time = await laterThan(before.url, await laterThan(before.url, 0));
  await laterThan(before.url, time);
  await act(service, destroyed.person, 'destroyBEO', { beoId: destroyed.beoId });
  await submit(service, lab, kept, consents.kept, 1);
  await operator.settle(before.url);
  await backup.archiveAll();
  await service.stop();
  await backup.loseDisk();

  const gateway = [operator.devnet.url];
  const options = { gateway, wallet: backup.wallet, to: time };
  keepListedFiles(operator.dataDir);
  const [webhookKey, elsewhere] = ['webhook.key', 'kept'].map((name) => join(operator.dataDir, name)) as [
    string,
    string,
  ];
  renameSync(webhookKey, elsewhere);
  await expect(backup.run((parts) => restoreBackup(backup.backups, options, parts))).rejects.toThrow(
    `${operator.dataDir} lacks webhook.key (with a new one, institutions must switch to a new key).`,
  );
  renameSync(elsewhere, webhookKey);
  const restored = await backup.run((parts) => restoreBackup(backup.backups, options, parts));
  expect(restored.text).toContain('ended them later: 1.');
  expect(restored.text).toContain('whose content is lost: 1.');
  expect(restored.text).toMatch(/^Epoch 2 begins/m);
  expect(restored.text).toContain('Addresses for alerts, which are as the backup has them: 1.');
  expect(restored.result).toBe('clean');

  const after = await backup.start();
  expect(await query(after.url, 'SELECT id FROM alert_mails')).toEqual([]);
  expect(await query(after.url, 'SELECT id FROM consent_requests')).toEqual([{ id: 'b' }]);
  const client = new pg.Client({ connectionString: after.url });
  await client.connect();
  const traces = await findTraces(client, destroyed.beoId).finally(() => client.end());
  expect(traces.status).toBe('DESTROYED');
  expect(traces.erasable.filter(({ count }) => count > 0)).toEqual([]);

  const serving = await operator.serve(after.url);
  expect(await recordsOf(serving, kept, own)).toBe(7);
  expect(await serving.context.readers.BEO.byReference(later.beoId, 'beoId')).not.toBeNull();
  await submit(serving, lab, kept, consents.kept, 2);
  expect(await recordsOf(serving, kept, own)).toBe(9);
  await newHolder(serving, { domain: destroyed.domain }).then(
    () => undefined,
    (error) => expect(error).toMatchObject({ code: 'DOMAIN_TAKEN' }),
  );
  await operator.settle(after.url);
  const verified = await backup.run((parts) => verify({}, parts));
  expect(verified.text).toContain('No breach was found.');
  expect(verified.result).toBe('clean');

  await backup.archiveAll();
  await serving.stop();
  const again = await backup.run((parts) => takeBackup(backup.backups, { keepMs: null }, parts));
  expect(again.text).toContain('of epoch 2');
  await backup.loseDisk();
  const { to: _, ...toEnd } = options;
  rmSync(webhookKey);
  const twice = await backup.run((parts) => restoreBackup(backup.backups, { ...toEnd, newKeys: true }, parts));
  expect(twice.text).toMatch(/^Epoch 3 begins/m);
  expect(twice.text).toContain('The service will create a new webhook.key: institutions must switch to a new key.');
  await operator.serve((await backup.start()).url);
});

/** Leaves what docs/backups.md lists for a restore. */
/** Waits until the clock of the database shows a later millisecond. @returns that one */
async function laterThan(databaseUrl: string, time: number): Promise<number> {
  for (;;) {
    const [row] = await query<{ at: Date }>(databaseUrl, 'SELECT clock_timestamp() AS at');
    if (row && row.at.getTime() > time) return row.at.getTime();
  }
}

function keepListedFiles(dataDir: string): void {
  const step = /^1\. Make an empty DATA_DIR, and copy ([\s\S]+?) to it/m.exec(
    readFileSync('docs/backups.md', 'utf8'),
  )?.[1];
  const listed = new Set(step?.match(/(?<=`)[\w.-]+(?=\/?`)/g));
  for (const name of readdirSync(dataDir)) if (!listed.has(name)) rmSync(join(dataDir, name), { recursive: true });
}

async function recordsOf({ context }: Service, { person, beoId }: Holder, { tokenId }: Grant) {
  const use = { targetBeo: beoId, consentToken: tokenId };
  const { total } = await readRecords(context, person.sign('readRecords', use), FILTERS);
  return total;
}
