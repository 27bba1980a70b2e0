import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  addGuardian,
  confirmRecovery,
  createGuardians,
  newGuarded,
  openRequest,
  tokenOf,
} from '../../auditor/audit/test-guardians.ts';
import {
  createConsents,
  decide,
  decideTogether,
  type Grant,
  grant,
  newInstitution,
  refusalOf,
  submit,
} from '../../auditor/audit/test-institutions.ts';
import {
  act,
  createIdentities,
  follow,
  type Holder,
  newHolder,
  query,
  type TestOperator,
  testOperator,
} from '../../auditor/audit/test-operator.ts';
import { createForgingRelayer, type ForgingRelayer } from '../../auditor/audit/test-relayer.ts';
import { verify } from '../../auditor/audit/verify.ts';
import { beoView } from '../../protocol/entities/beo.ts';
import { readConfirmation } from '../../server/features/guardians/read-confirmation.ts';
import { readInvitation } from '../../server/features/guardians/read-invitation.ts';
import { listIeos } from '../../server/features/read/list-ieos.ts';
import { tokenHistory, verifyToken } from '../../server/features/read/read-token.ts';
import { exportRecords } from '../../server/features/records/export-records.ts';
import { listAccess } from '../../server/features/records/list-access.ts';
import { readRecords } from '../../server/features/records/read-records.ts';
import { confirmAll } from '../../server/ledger/confirm.ts';
import { clientOf } from '../../server/network/devnet/test-devnet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { adminUrlOf } from '../../server/platform/db/test-database.ts';
import type { Service } from '../../server/processes/service.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import { restoreKeepingPrivateRows } from '../backup/restore-files.ts';
import { type RestoreOptions, restore } from './rebuild-database.ts';

const restoreInto = (operator: TestOperator, databaseUrl: string, options: RestoreOptions = {}, lines: string[] = []) =>
  operator.run((parts) => restore(options, parts), databaseUrl, lines);

const verified = (operator: TestOperator, databaseUrl: string) =>
  operator.run((parts) => verify({}, parts), databaseUrl);

const viewOf = async ({ context }: Service, { beoId }: Pick<Holder, 'beoId'>) => {
  const found = await context.readers.BEO.byReference(beoId, 'beoId');
  return found && beoView(found.entity, 'FINAL', context.now());
};

const ONE_ROW: Record<string, string> = {
  recovery_requests: "VALUES (gen_random_uuid(), gen_random_uuid(), 'key', now())",
  recovery_mailings: 'VALUES (gen_random_uuid(), now())',
  mails: `(id, kind, owner_id, guardian_id, about_id, language, due_at)
    SELECT id, 'invitation', id, id, id, 'en', now() FROM gen_random_uuid() AS id`,
};

/** The same for rows that belong to the data key of $1. */
const ROW_IN_VAULT: Record<string, string> = {
  records: `SELECT $1, $1, $1, 't', 'b', 'c', now(), now(), 'ACTIVE', NULL, 't', 1, 0, ''`,
  record_counts: `SELECT $1, 'b', 'c', 'ACTIVE', 0`,
  access_events: "SELECT $1, $1, now(), ''",
  stored_bytes: 'SELECT $1, $1, 1',
};

const FILTERS = {
  ...{ categories: null, biomarkers: null, levels: null, from: null, to: null },
  ...{ status: 'ACTIVE' as const, limit: 100, offset: 0 },
};

/** A holder's records and access log. */
async function recordsOf({ context }: Service, { person, beoId }: Holder, { tokenId }: Grant) {
  const use = { targetBeo: beoId, consentToken: tokenId };
  const { records, total } = await readRecords(context, person.sign('readRecords', use), FILTERS);
  const whole = await exportRecords(context, person.sign('sovereignExport', { ...use, format: 'CSV' }));
  const { events } = await listAccess(context, person.sign('listAccess', { beoId }));
  return { read: records.length, total, exported: whole.recordCount, events: events.map(({ kind }) => kind).sort() };
}

/** All responses about institutions and consents, without the relay status. */
async function readsOf({ context }: Service, databaseUrl: string, holders: readonly Holder[]) {
  const page = { limit: 200, cursor: null };
  const list = await listIeos(context, { status: null, ieoType: null, certLevel: null }, page);
  const consents = await Promise.all(holders.map(({ beoId }) => tokenHistory(context, beoId, page)));
  return {
    list: { ...list, ieos: list.ieos.map(({ ledger, ...ieo }) => ({ ...ieo, seq: ledger.seq })) },
    consents: consents.map(({ tokens, count }) => ({
      count,
      tokens: tokens.map(({ ledger, ...token }) => ({ ...token, seq: ledger.seq })),
    })),
    proposals: await query(databaseUrl, 'SELECT * FROM proposals ORDER BY id'),
    counts: await query(databaseUrl, 'SELECT * FROM ieo_counts WHERE count <> 0 ORDER BY 1, 2, 3'),
  };
}

describe('after the database is lost, a restore', () => {
  test('rebuilds posted entries and begins an epoch; the service continues, and a second restore works', async () => {
    const operator = await testOperator();
    const lost = await operator.database();
    const service = await operator.serve(lost);
    const holders = await createIdentities(service, 60);
    const invited = await newHolder(service, { sealed: true });
    await operator.settle(lost);
    await service.stop();
    const before = await operator.serve(lost, { hold: true });
    const [holder, other] = holders as [Holder, Holder];
    const views = await Promise.all(holders.map((each) => viewOf(before, each)));
    const ghost = await newHolder(before);
    const unposted = holder.person.sign('rotateKey', { beoId: holder.beoId, newPublicKey: newPerson().publicKey });
    await act(before, holder.person, 'rotateBEOKey', { beoId: holder.beoId, newPublicKey: newPerson().publicKey });
    await before.stop();

    const restoredDatabase = await operator.database();
    const restored = await restoreInto(operator, restoredDatabase);
    expect(restored.text).toMatch(/^Restored \d+ entries/m);
    expect(restored.text).toMatch(/^Epoch 2 begins/m);
    expect(restored.isClean).toBe(true);
    expect(await query(restoredDatabase, 'SELECT name, value FROM agreed_settings ORDER BY name')).toEqual([
      { name: 'domain_suffix', value: 'bsp' },
      { name: 'wallet', value: loadWallet(operator.devnet.wallet).address },
    ]);

    const after = await operator.serve(restoredDatabase);
    const withoutInvited = (view: (typeof views)[0]) => (view?.recovery.guardians.length ? null : view);
    const viewsAfter = await Promise.all(holders.map((each) => viewOf(after, each)));
    expect(viewsAfter.map(withoutInvited)).toEqual(views.map(withoutInvited));
    expect(views.filter((view) => withoutInvited(view) !== null).length).toBeGreaterThan(30);
    const guardians = (await viewOf(after, invited))?.recovery.guardians;
    expect(guardians?.map(({ status }) => status)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(await viewOf(after, ghost)).toBeNull();

    const { timestamp } = unposted;
    const late = act(after, holder.person, 'lockBEO', { beoId: holder.beoId }, timestamp);
    await expect(late).rejects.toMatchObject({ code: 'TIMESTAMP_TOO_OLD' });
    await act(after, holder.person, 'destroyBEO', { beoId: holder.beoId });
    await newHolder(after, { domain: ghost.domain });
    await operator.settle(restoredDatabase);
    const clean = await verified(operator, restoredDatabase);
    expect(clean.text).toContain('No breach was found.');
    expect(clean.text).toContain('epoch 2');
    await after.stop();

    const second = await operator.database();
    expect((await restoreInto(operator, second)).text).toMatch(/^Epoch 3 begins/m);
    const again = await operator.serve(second);
    expect((await viewOf(again, holder))?.status).toBe('DESTROYED');
    expect((await viewOf(again, other))?.domain).toBe(other.domain);
    await newHolder(again);
    await operator.settle(second);
    expect((await verified(operator, second)).text).toContain('No breach was found.');
  });

  test('rebuilds institutions, consents and proposals, which accept operations again', async () => {
    const operator = await testOperator();
    const lost = await operator.database();
    const before = await operator.serve(lost);
    const sample = await createConsents(before);
    const { people } = sample;
    await operator.settle(lost);
    const expected = await readsOf(before, lost, people);
    await before.stop();

    const restoredDatabase = await operator.database();
    const restored = await restoreInto(operator, restoredDatabase);
    expect(restored.text).toContain('live: 5 identities, 3 institutions,');
    expect(restored.text).toMatch(/ended: 1 identity, 2 institutions, \d+ consents, 5 proposals/);
    const after = await operator.serve(restoredDatabase);
    const actual = await readsOf(after, restoredDatabase, people);
    expect(actual.consents).toEqual(expected.consents);
    expect(actual.proposals).toEqual(expected.proposals);
    expect(actual.counts).toEqual(expected.counts);
    const others = ({ ieo_id }: { ieo_id: string }) => ieo_id !== sample.lab.ieoId;
    expect(actual.list.ieos.filter(others)).toEqual(expected.list.ieos.filter(others));
    expect([actual.list.count, actual.list.ieos.length]).toEqual([5, 5]);
    const lab = actual.list.ieos.find(({ ieo_id }) => ieo_id === sample.lab.ieoId);
    expect(lab?.recovery.guardians.map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    expect(lab?.certification.level).toBe('ADVANCED');

    const [granter] = sample.holders as [Holder];
    const { tokenId } = await grant(after, granter, sample.hospital.domain, ['SYNC_PROTOCOL']);
    expect((await verifyToken(after.context, tokenId, {})).valid).toBe(true);
    expect(await refusalOf(grant(after, granter, sample.lab.domain))).toBe('DUPLICATE_TOKEN');
    await act(after, granter.person, 'revokeToken', { tokenId: sample.kept.tokenId });
    await grant(after, granter, sample.lab.domain);
    expect(await refusalOf(grant(after, granter, sample.destroyed.ieoId))).toBe('IEO_DESTROYED');
    const taken = newHolder(after, { domain: sample.destroyed.domain });
    expect(await refusalOf(taken)).toBe('DOMAIN_TAKEN');
    expect(await refusalOf(decide(after, 'approveProposal', { proposalId: sample.pending }, 2))).toBe(
      'ALREADY_APPROVED',
    );
    await decide(after, 'approveProposal', { proposalId: sample.pending }, 1);
    expect((await verifyToken(after.context, tokenId, {})).reason).toBe('IEO_NOT_ACTIVE');
    await decideTogether(after, 'reinstateIEO', { ieoId: sample.suspended.domain });
    await operator.settle(restoredDatabase);
    expect((await verified(operator, restoredDatabase)).text).toContain('No breach was found.');
  });

  test('rebuilds guardians and their eligibility, but neither links nor requests', async () => {
    const operator = await testOperator();
    const lost = await operator.database();
    const before = await operator.serve(lost);
    const { recovered, recoveredByUnconfirmed, withRequest, withRemoved, withInvitation, destroyed } =
      await createGuardians(before);
    const unconfirmed = await newGuarded(before, 0);
    const unconfirmedRequest = await openRequest(before, unconfirmed.beoId);
    const same = [recovered, recoveredByUnconfirmed, unconfirmed, destroyed];
    await operator.settle(lost);
    const viewsOf = (service: Service, people: readonly Holder[]) =>
      Promise.all(people.map((holder) => viewOf(service, holder)));
    const expected = await viewsOf(before, same);
    const countedOn = (await viewOf(before, withRemoved))?.recovery.guardians;
    expect((await viewOf(before, withRequest))?.active_recovery).toMatchObject({ confirmations: 1 });
    await before.stop();

    const restoredDatabase = await operator.database();
    const { text, isClean } = await restoreInto(operator, restoredDatabase);
    expect(isClean).toBe(true);
    expect(text).toContain('Open invitations that have expired: 2. Invite the guardians again.');
    expect(text).toContain('Open recovery requests with a confirmation that were closed: 1. Request them again.');
    expect(text).toContain('guardians, relayer-asserted');
    expect(text).toContain(`${recoveredByUnconfirmed.beoId} moved to the key`);
    const after = await operator.serve(restoredDatabase);
    expect(await viewsOf(after, same)).toEqual(expected);
    const expired = countedOn?.map((guardian) =>
      guardian.status === 'PENDING' ? { ...guardian, status: 'EXPIRED' } : guardian,
    );
    expect(expired?.map(({ status }) => status)).toEqual(['ACTIVE', 'EXPIRED', 'REMOVED', 'REMOVED']);
    expect((await viewOf(after, withRemoved))?.recovery.guardians).toEqual(expired);
    expect((await viewOf(after, withRequest))?.active_recovery).toBeNull();

    const [first, second] = withRequest.guardians;
    const restored = { code: 'LINK_EXPIRED', details: { reason: 'RESTORED' } };
    await expect(confirmRecovery(after, withRequest, withRequest.request, first)).rejects.toMatchObject(restored);
    const late = confirmRecovery(after, unconfirmed, unconfirmedRequest, unconfirmed.guardians[0]);
    await expect(late).rejects.toMatchObject(restored);
    const { invitationId, beoId, url, person } = withInvitation;
    const accepting = { invitationId, beoId, publicKey: newPerson().publicKey };
    const link = { kind: 'invitation' as const, token: tokenOf(url) };
    await expect(follow(after, person, 'acceptGuardian', accepting, link)).rejects.toMatchObject(restored);
    const oldTokens = [withRequest.request.links[0], unconfirmedRequest.links[0]].map((link) =>
      tokenOf(link?.url ?? ''),
    );
    for (const token of oldTokens) expect(await readConfirmation(after.context, token)).toEqual({ state: 'restored' });
    expect(await readInvitation(after.context, link.token)).toEqual({ state: 'restored' });
    const unknown = after.context.links.newToken();
    expect(await readInvitation(after.context, unknown)).toEqual({ state: 'unknown' });
    expect(await readInvitation(after.context, link.token.slice(1))).toEqual({ state: 'unknown' });

    const destruction = act(after, recovered.person, 'destroyBEO', { beoId: recovered.beoId });
    expect(await refusalOf(destruction)).toBe('RECOVERY_COOLDOWN');
    const request = await openRequest(after, withRequest.beoId);
    await confirmRecovery(after, withRequest, request, second);
    expect((await viewOf(after, withRequest))?.active_recovery).toMatchObject({ confirmations: 1 });
    const { body } = await confirmRecovery(after, withRequest, request, first);
    expect(body).toMatchObject({ executed: true });
    expect(await viewOf(after, withRequest)).toMatchObject({ public_key: request.next.publicKey, status: 'LOCKED' });
    await addGuardian(after, withInvitation, 'primary');
    await operator.settle(restoredDatabase);
    const { text: report, verdict } = await verified(operator, restoredDatabase);
    expect(report).toContain('No breach, but not clean: 1 recovery is asserted by the relayer alone.');
    expect(report).toContain('  2 recoveries by two guardians that the holder had confirmed in public');
    expect(verdict).toBe('asserted');
  });

  test('rebuilds the record count of each consent, and none of the records', async () => {
    const operator = await testOperator();
    const lost = await operator.database();
    const before = await operator.serve(lost);
    const [holder, destroyedHolder, lab] = await Promise.all([
      newHolder(before),
      newHolder(before),
      newInstitution(before),
    ]);
    const { ieoId } = lab;
    const limited = await grant(before, holder, ieoId, ['SUBMIT_RECORD'], null, { max_records: 10 });
    const withdrawn = await grant(before, holder, ieoId, ['SUBMIT_RECORD', 'READ_RECORDS'], 1);
    const left = await grant(before, destroyedHolder, ieoId, ['SUBMIT_RECORD']);
    const self = await grant(before, holder, holder.beoId, ['READ_RECORDS', 'EXPORT_DATA'], null);
    const [correctedId] = await submit(before, lab, holder, limited, 4);
    await submit(before, lab, holder, limited, 4);
    await submit(before, lab, holder, withdrawn, 100);
    await act(before, holder.person, 'revokeToken', { tokenId: withdrawn.tokenId });
    await submit(before, lab, destroyedHolder, left, 3);
    await act(before, destroyedHolder.person, 'destroyBEO', { beoId: destroyedHolder.beoId });
    const recordsBefore = await recordsOf(before, holder, self);
    expect(recordsBefore).toMatchObject({ read: 100, total: 108, exported: 108 });
    expect(recordsBefore.events).toEqual(['export', 'read', 'submit', 'submit', 'submit']);
    await operator.settle(lost);
    await before.stop();
    const counted = (databaseUrl: string) => query<object>(databaseUrl, 'SELECT id, submitted FROM tokens ORDER BY id');
    const listed = (databaseUrl: string) => query<object>(databaseUrl, 'SELECT * FROM submissions ORDER BY seq');
    const [expected, submissions] = [await counted(lost), await listed(lost)];
    expect(submissions).toMatchObject([4, 4, 100, 3].map((records) => ({ grantee_id: ieoId, records })));

    const restoredDatabase = await operator.database();
    const { text, isClean } = await restoreInto(operator, restoredDatabase);
    expect(isClean).toBe(true);
    expect(text).toContain('The vault is empty: health records and the access log are lost.');
    expect(await counted(restoredDatabase)).toEqual(expected);
    expect(await listed(restoredDatabase)).toEqual(submissions);
    const after = await operator.serve(restoredDatabase);
    for (const table of Object.keys(ROW_IN_VAULT)) {
      expect(await query(restoredDatabase, `SELECT FROM ${table}`)).toEqual([]);
    }
    const events = ['export', 'read'];
    expect(await recordsOf(after, holder, self)).toEqual({ read: 0, total: 0, exported: 0, events });

    expect(await refusalOf(submit(after, lab, holder, limited, 3))).toBe('RECORD_LIMIT_REACHED');
    expect(await refusalOf(submit(after, lab, holder, withdrawn))).toBe('TOKEN_REVOKED');
    expect(await refusalOf(submit(after, lab, destroyedHolder, left))).toBe('BEO_DESTROYED');
    const record = { biomarker: 'BSP-GL-001', value: 1, unit: 'mg/dL', collected_at: new Date(0).toISOString() };
    const records = [{ ...record, supersedes: correctedId ?? '' }];
    const correction = { targetBeo: holder.beoId, consentToken: limited.tokenId, records };
    expect(await refusalOf(act(after, lab.person, 'submitRecords', correction))).toBe('RECORD_INVALID');
    await submit(after, lab, holder, limited, 2);
    expect(await recordsOf(after, holder, self)).toMatchObject({ read: 2, total: 2, exported: 2 });
    expect(await refusalOf(submit(after, lab, holder, limited))).toBe('RECORD_LIMIT_REACHED');
    await operator.settle(restoredDatabase);
    expect((await verified(operator, restoredDatabase)).text).toContain('No breach was found.');
  });

  test('refuses a database with health records or access events', async () => {
    const operator = await testOperator();
    writeFileSync(join(operator.dataDir, 'relayer.key'), 'ab'.repeat(32));
    const databaseUrl = await operator.database();
    await expect(restoreInto(operator, databaseUrl)).rejects.toThrow('there is nothing to restore');
    const owner = [randomUUID()];
    for (const [table, row] of Object.entries(ROW_IN_VAULT)) {
      await query(databaseUrl, "INSERT INTO vault_keys (owner_id, wrapped) VALUES ($1, '')", owner);
      await query(databaseUrl, `INSERT INTO ${table} ${row.replaceAll('$1', '$1::uuid')}`, owner);
      await expect(restoreInto(operator, databaseUrl)).rejects.toThrow(`its table ${table} has rows`);
      await query(databaseUrl, 'DELETE FROM vault_keys');
    }
  });

  test('refuses a database with requests for recovery or mails to guardians', async () => {
    const operator = await testOperator();
    writeFileSync(join(operator.dataDir, 'relayer.key'), 'ab'.repeat(32));
    const databaseUrl = await operator.database();
    await expect(restoreInto(operator, databaseUrl)).rejects.toThrow('there is nothing to restore');
    for (const [table, row] of Object.entries(ONE_ROW)) {
      await query(databaseUrl, `INSERT INTO ${table} ${row}`);
      await expect(restoreInto(operator, databaseUrl)).rejects.toThrow(`its table ${table} has rows`);
      await query(databaseUrl, `DELETE FROM ${table}`);
    }
  });

  test('refuses a database that is not empty', async () => {
    const operator = await testOperator();
    const databaseUrl = await operator.database();
    const service = await operator.serve(databaseUrl);
    await newHolder(service);
    await operator.settle(databaseUrl);
    await service.stop();
    await expect(restoreInto(operator, databaseUrl)).rejects.toThrow('The database is not empty');
  });

  test('refuses to keep private rows with a role that may not empty tables', async () => {
    const operator = await testOperator();
    const databaseUrl = await operator.database();
    await (await operator.serve(databaseUrl)).stop();
    const role = `rows_${process.pid}_${Date.now()}`;
    const admin = adminUrlOf(databaseUrl);
    await query(admin, `CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await query(admin, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    onTestFinished(() => query(admin, `DROP OWNED BY ${role}; DROP ROLE ${role}`).then(() => undefined));
    const limited = Object.assign(new URL(databaseUrl), { username: role, password: 'x' }).href;
    await expect(operator.run((parts) => restoreKeepingPrivateRows({}, parts), limited)).rejects.toThrow(
      'The role in DATABASE_URL has no right to empty tables (TRUNCATE). Set DATABASE_URL to the role that owns the database. No row was changed.',
    );
  });

  test('refuses to begin if the network has no ledger', async () => {
    const operator = await testOperator();
    writeFileSync(join(operator.dataDir, 'relayer.key'), 'ab'.repeat(32));
    await expect(restoreInto(operator, await operator.database())).rejects.toThrow('there is nothing to restore');
  });
});

/** An operator with a forged ledger on its network. */
async function forgedOperator(blockMs = 50) {
  const operator = await testOperator({ blockMs });
  const { devnet } = operator;
  const relayer = createForgingRelayer({ client: clientOf(devnet), wallet: loadWallet(devnet.wallet) });
  writeFileSync(join(operator.dataDir, 'relayer.key'), relayer.seed.toString('hex'));
  const people = (count: number) =>
    Array.from({ length: count }, () => relayer.write(relayer.create(`p${relayer.head.seq}.bsp`).draft));
  const publish = async (...given: Parameters<ForgingRelayer['post']>) => {
    const id = await relayer.post(...given);
    await devnet.mine();
    return id;
  };
  return { operator, relayer, people, publish };
}

test('a proposal that has expired since the last entry is restored as ended', async () => {
  const { operator, relayer, publish } = await forgedOperator();
  relayer.head.at -= 8 * 24 * 3_600_000;
  const { ieoId, draft } = relayer.admit('lab.bsp');
  const { proposalId, draft: opening } = relayer.propose('suspendIEO', ieoId, 1);
  await publish([relayer.write(draft), relayer.write(opening)]);
  const databaseUrl = await operator.database();
  const { text } = await restoreInto(operator, databaseUrl);
  expect(text).toContain('live: 0 identities, 1 institution, 0 consents, 0 proposals');
  expect(await query(databaseUrl, 'SELECT id, ieo_id FROM proposals')).toEqual([{ id: proposalId, ieo_id: ieoId }]);
});

describe('a ledger with breaches', () => {
  test('is not restored while entries are missing; the report counts the entries after the gap', async () => {
    const { operator, people, publish } = await forgedOperator();
    const items = people(9);
    await publish(items.slice(0, 3));
    await publish(items.slice(5));
    const databaseUrl = await operator.database();
    const stopped = await restoreInto(operator, databaseUrl);
    expect(stopped.isClean).toBe(false);
    expect(stopped.text).toContain('Entries 4 to 5 are missing.');
    expect(stopped.text).toContain('4 entries follow the missing ones');
    expect(await query(databaseUrl, 'SELECT FROM ledger_entries')).toEqual([]);
    expect(await query(databaseUrl, 'SELECT FROM ledger_head')).toEqual([]);

    await publish(items.slice(3, 5));
    const done = await restoreInto(operator, databaseUrl);
    expect(done.isClean).toBe(true);
    expect(await query(databaseUrl, 'SELECT epoch, seq::int FROM ledger_head')).toEqual([{ epoch: 2, seq: 10 }]);
    expect(await query(databaseUrl, 'SELECT count(*)::int AS count FROM beos')).toEqual([{ count: 9 }]);
  });

  test('is not restored if a user’s signature is forged', async () => {
    const { operator, relayer, people, publish } = await forgedOperator();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const lock = relayer.act(person, beoId, 'lockBEO');
    await publish([
      ...people(2),
      relayer.write(draft),
      relayer.write({ ...lock, entity_id: beoId, signer: 'ab'.repeat(32) }),
    ]);
    const stopped = await restoreInto(operator, await operator.database());
    expect(stopped.isClean).toBe(false);
    expect(stopped.text).toContain('USER_SIGNATURE');
  });

  test('is not restored with another relayer’s key', async () => {
    const { operator, people, publish } = await forgedOperator();
    await publish(people(2));
    writeFileSync(join(operator.dataDir, 'relayer.key'), 'cd'.repeat(32));
    const restoring = restoreInto(operator, await operator.database());
    await expect(restoring).rejects.toThrow('The relayer key does not belong to the ledger on the network');
  });
});

describe('bundles', () => {
  const NEVER = 2 ** 30;

  test('that are posted but not mined yet are waited for, or abandoned with --abandon-pending', async () => {
    const { operator, relayer, people, publish } = await forgedOperator(NEVER);
    await publish(people(2));
    const pending = people(3);
    await relayer.post(pending);
    const withoutWait = restoreInto(operator, await operator.database(), { wait: 0 });
    await expect(withoutWait).rejects.toThrow('1 bundles with 3 entries are posted but not mined yet');

    const lines: string[] = [];
    const waiting = restoreInto(operator, await operator.database(), {}, lines);
    await expect.poll(() => lines).toHaveLength(1);
    await operator.devnet.mine();
    const { text } = await waiting;
    expect(text).toContain('Waiting until 1 posted bundles with 3 entries are mined.');
    expect(text).toContain('Restored 5 entries');
  });

  test('that were abandoned and mined afterwards are reported as ABANDONED', async () => {
    const { operator, relayer, people, publish } = await forgedOperator(NEVER);
    await publish(people(2));
    await relayer.post(people(3));
    const databaseUrl = await operator.database();
    const { text } = await restoreInto(operator, databaseUrl, { wait: 0, abandonPending: true });
    expect(text).toContain('Restored 2 entries');
    await operator.devnet.mine();
    const service = await operator.serve(databaseUrl);
    await expect
      .poll(() => query(databaseUrl, 'SELECT status FROM bundles WHERE first_seq = 3'))
      .toEqual([{ status: 'POSTED' }]);
    await service.stop();
    await operator.devnet.mine();
    const shown = await verified(operator, databaseUrl);
    expect(shown.isClean).toBe(false);
    expect(shown.text).toContain('3  ABANDONED');
  });

  test('are restored as the confirm loop leaves them: after a reorganisation they are posted again', async () => {
    const { operator, people, publish } = await forgedOperator(NEVER);
    const items = people(3);
    const first = await publish(items);
    const second = await publish(items);
    await operator.devnet.mine(20);
    const last = await publish(people(2));
    const databaseUrl = await operator.database();
    expect((await restoreInto(operator, databaseUrl)).isClean).toBe(true);
    const rows = () =>
      query<object>(
        databaseUrl,
        'SELECT first_seq::int, last_seq::int, l1_tx, status, superseded_tx FROM bundles ORDER BY first_seq',
      );
    expect(await rows()).toEqual([
      { first_seq: 1, last_seq: 3, l1_tx: first, status: 'FINAL', superseded_tx: [second] },
      { first_seq: 4, last_seq: 5, l1_tx: last, status: 'CONFIRMED', superseded_tx: [] },
    ]);

    await operator.devnet.reorganise(1, { drop: true });
    await operator.devnet.mine(5);
    const pool = createPool(databaseUrl, 2, () => undefined);
    onTestFinished(() => pool.end());
    const client = clientOf(operator.devnet);
    const wallet = loadWallet(operator.devnet.wallet);
    const parts = { pool, client, wallet, maxAgeMs: 1, maxWinston: 10n ** 12n, dailyBytes: 10 ** 9 };
    await confirmAll(parts, new Map());
    expect(await client.status(last)).toEqual({ state: 'pending' });
    await operator.devnet.mine(18);
    await confirmAll(parts, new Map());
    expect((await rows()).at(-1)).toMatchObject({ l1_tx: last, status: 'FINAL' });
  });
});
