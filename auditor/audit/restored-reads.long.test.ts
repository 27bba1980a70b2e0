import { expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { listGuarded } from '../../server/features/guardians/list-guarded.ts';
import { listGuardians } from '../../server/features/guardians/list-guardians.ts';
import { requestRecovery } from '../../server/features/guardians/request-recovery.ts';
import { exportRecords } from '../../server/features/records/export-records.ts';
import { listAccess } from '../../server/features/records/list-access.ts';
import { readRecords } from '../../server/features/records/read-records.ts';
import type { Service } from '../../server/processes/service.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import { newGuarded } from './test-guardians.ts';
import { grant, newInstitution, refusalOf, submit } from './test-institutions.ts';
import { newHolder, testOperator } from './test-operator.ts';

const FILTERS = {
  ...{ categories: null, biomarkers: null, levels: null, from: null, to: null },
  ...{ status: 'ACTIVE' as const, limit: 100, offset: 0 },
};

type SignedBody = { readonly [field: string]: Json };

/** The signed requests that use a nonce and write no ledger entry. */
const SIGNED_READS: Readonly<Record<string, ({ context }: Service, body: SignedBody) => Promise<unknown>>> = {
  readRecords: ({ context }, body) => readRecords(context, body, FILTERS),
  sovereignExport: ({ context }, body) => exportRecords(context, body),
  listAccess: ({ context }, body) => listAccess(context, body),
  listGuardians: ({ context }, body) => listGuardians(context, body),
  listGuarded: ({ context }, body) => listGuarded(context, body),
  requestRecovery: ({ context }, body) =>
    requestRecovery(context, body, { charge: null, language: 'en', address: '203.0.113.7' }),
};

test('a read signed before a restore is rejected after it, used or not; one signed afterwards is accepted', async () => {
  const operator = await testOperator();
  const lost = await operator.database();
  const before = await operator.serve(lost);
  const [holder, lab, guarded] = await Promise.all([newHolder(before), newInstitution(before), newGuarded(before, 2)]);
  const use = await grant(before, holder, lab.ieoId, ['SUBMIT_RECORD', 'READ_RECORDS', 'EXPORT_DATA'], null);
  await submit(before, lab, holder, use, 2);
  const next = newPerson();
  const reads = () => {
    const covered = { targetBeo: holder.beoId, consentToken: use.tokenId };
    const recovery = { beoId: guarded.beoId, newPublicKey: next.publicKey };
    return {
      readRecords: lab.person.sign('readRecords', covered),
      sovereignExport: lab.person.sign('sovereignExport', { ...covered, format: 'JSON' }),
      listAccess: holder.person.sign('listAccess', { beoId: holder.beoId }),
      listGuardians: guarded.person.sign('listGuardians', { beoId: guarded.beoId }),
      listGuarded: guarded.guardians[0].person.sign('listGuarded', {
        publicKey: guarded.guardians[0].person.publicKey,
      }),
      requestRecovery: next.sign('requestRecovery', recovery),
    } as Readonly<Record<string, SignedBody>>;
  };
  const refusals = async (service: Service, bodies: ReturnType<typeof reads>) => {
    const codes: Record<string, string | null> = {};
    for (const [name, read] of Object.entries(SIGNED_READS)) {
      codes[name] = await refusalOf(read(service, bodies[name] as SignedBody));
    }
    return codes;
  };
  const all = (code: string | null) => Object.fromEntries(Object.keys(SIGNED_READS).map((name) => [name, code]));

  const [used, unused] = [reads(), reads()];
  expect(await refusals(before, used)).toEqual(all(null));
  expect(await refusals(before, used)).toEqual(all('NONCE_REUSED'));
  await operator.settle(lost);
  await before.stop();

  const restoredDatabase = await operator.database();
  await operator.run((parts) => restore({}, parts), restoredDatabase);
  const after = await operator.serve(restoredDatabase);
  expect(await refusals(after, used)).toEqual(all('TIMESTAMP_TOO_OLD'));
  expect(await refusals(after, unused)).toEqual(all('TIMESTAMP_TOO_OLD'));
  expect(await refusals(after, reads())).toEqual(all(null));
});
