import { expect, onTestFinished, test } from 'vitest';
import { newGuarded, recover } from '../../auditor/audit/test-guardians.ts';
import { createConsents, grant, submit } from '../../auditor/audit/test-institutions.ts';
import { createIdentities, newHolder, testOperator } from '../../auditor/audit/test-operator.ts';
import { verify } from '../../auditor/audit/verify.ts';
import { exportRecords } from '../../server/features/records/export-records.ts';
import { migrateDatabase } from '../../server/platform/db/migrate.ts';
import { createOwner, createPostgresql } from './test-postgresql.ts';

test('PostgreSQL 15, the oldest that the service accepts, takes every migration, identities, consents, records, an export and a recovery', async () => {
  const server = await createPostgresql('Debian');
  onTestFinished(server.remove);
  await server.start();
  const url = await createOwner(server, 'perpetua', 'secret-of-perpetua');
  await migrateDatabase(url, () => undefined);

  const operator = await testOperator();
  const service = await operator.serve(url);
  const { lab } = await createConsents(service);
  await createIdentities(service, 20);
  const holder = await newHolder(service);
  await submit(service, lab, holder, await grant(service, holder, lab.ieoId, ['SUBMIT_RECORD']), 3);
  const own = await grant(service, holder, holder.domain, ['EXPORT_DATA']);
  const use = { targetBeo: holder.beoId, consentToken: own.tokenId, format: 'CSV' };
  expect(await exportRecords(service.context, holder.person.sign('sovereignExport', use))).toMatchObject({
    recordCount: 3,
  });
  await recover(service, await newGuarded(service, 0));
  await operator.settle(url);
  const { text, verdict } = await operator.run((parts) => verify({}, parts), url);
  expect([verdict, text]).toEqual(['asserted', expect.stringContaining('1 recovery is asserted by the relayer alone')]);
});
