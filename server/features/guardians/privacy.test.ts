import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import type { Service } from '../../processes/service.ts';
import {
  type Answer,
  captureLog,
  freshDomain,
  newPerson,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { everythingStored, expectNoSecrets } from '../vault/test-stored.ts';
import {
  ACCEPT_JSON,
  type AcceptedGuardian,
  type Guardians,
  guardiansOf,
  HOUR,
  pathOf,
  ROLES,
  tokenOf,
  withToken,
} from './test-guardians.ts';

const NAMES = ['Wilhelmina Quastenflosser', 'Barnabas Quastenflosser', 'Kunigunde Zwirbelbart'];
const CONTACTS = ['wilhelmina@qflosser.example', '+49 30 5550199', 'kunigunde@zwirbelbart.example'];

let shift = 0;
let running: Service;
let service: TestService;
let guardians: Guardians;
const capturedLog = captureLog();
const log = capturedLog.lines;

/** The mail server is not reachable. */
beforeAll(async () => {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'guardians@example.org' };
  const clock = createClock(Date.now, () => shift);
  service = await startTestService(mail, { clock, log: capturedLog.log });
  running = service.service;
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const rowsOf = async (table: string, column: string, value: string): Promise<number> =>
  (await running.context.pool.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [value])).rows.length;
const vaultHas = async (id: string): Promise<boolean> => (await rowsOf('vault_rows', 'id', id)) > 0;
const nameIsStored = ({ id }: AcceptedGuardian) => vaultHas(`guardian:${id}`);

const named = (index: number) => ({ name: NAMES[index] ?? '', contact: CONTACTS[index] ?? '' });

/** Runs every guardian operation and its failures, and returns what must stay private. */
async function runEveryOperation(): Promise<{ holder: Party; secrets: string[]; transactions: string[] }> {
  const person = newPerson();
  const recovery = { guardians: ROLES.slice(0, 2).map((role, index) => guardians.guardian(role, named(index))) };
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery };
  const created = await service.post('/api/relayer/beo', guardians.sign(person, 'createBEO', fields));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { beo_id: id, domain, transactionId, invitations } = created.body;
  const holder = { person, id, domain, transactionId };
  const invited = (await guardians.invite(holder, 'tertiary', named(2))).body;
  const urls: string[] = [...invitations.map(({ url }: { url: string }) => url), invited.url];
  const [primary, secondary, tertiary] = [
    await guardians.seated(urls[0] ?? ''),
    await guardians.seated(urls[1] ?? ''),
    await guardians.seated(urls[2] ?? ''),
  ];
  await guardians.confirmed(holder, primary, secondary);
  const unchanged = [primary, secondary].map(({ role, person: { publicKey } }, index) =>
    guardians.guardian(role, { ...named(index), public_key: publicKey }),
  );
  const configured = await guardians.configure(holder, { guardians: unchanged });
  expect(configured.status).toBe(200);
  expect(await nameIsStored(tertiary)).toBe(false);
  const next = newPerson();
  const request = await guardians.asked(domain, next.publicKey);
  urls.push(...request.links.map(({ url }: { url: string }) => url));
  const first = urls[0] ?? '';
  for (const path of urls.map(pathOf)) {
    await service.get(path, ACCEPT_JSON);
    await service.request(path, { method: 'HEAD' });
    await service.post(path, {});
    await service.post(path, guardians.acceptance(newPerson(), id, invited.invitation_id));
    await service.request(path, { method: 'DELETE' });
    await service.get(`${path}?token=${tokenOf(path)}`, ACCEPT_JSON);
    await service.get(`${path}/more`, ACCEPT_JSON);
    await service.get(withToken(path, `${tokenOf(path)}0`), ACCEPT_JSON);
  }
  expect((await guardians.confirm(request, holder, next.publicKey, primary)).status).toBe(200);
  return {
    holder,
    secrets: [...NAMES, ...CONTACTS, ...urls.map(tokenOf), created.body.salt, configured.body.salt, tokenOf(first)],
    transactions: [transactionId, configured.body.transactionId],
  };
}

describe('the names, contacts and links of guardians', () => {
  test('are not in public reads or ledger entries', async () => {
    const { holder, secrets, transactions } = await runEveryOperation();
    const paths = [
      `/api/beos/${holder.id}`,
      `/api/beos/domain/${holder.domain}`,
      ...transactions.map((id) => `/api/transactions/${id}`),
      '/api/ledger',
      '/api/ledger/entries?limit=1000',
      '/metrics',
      '/ready',
      '/health',
    ];
    const answers = await Promise.all(paths.map((path) => service.get(path)));
    for (const { status } of answers) expect(status).toBe(200);
    expectNoSecrets(answers.map(({ body }) => JSON.stringify(body)).join('\n'), secrets);
    const items = String(answers.find((_, index) => paths[index]?.includes('entries'))?.body)
      .trim()
      .split('\n')
      .map((line) => Buffer.from(JSON.parse(line).item, 'base64').toString('latin1'));
    expect(items.length).toBeGreaterThan(8);
    expectNoSecrets(items.join('\n'), secrets);
  });

  test('are not in the database in plain text', async () => {
    const { holder, secrets } = await runEveryOperation();
    const { pool } = running.context;
    const stored = await everythingStored(pool);
    expect(stored).toContain(holder.domain);
    expectNoSecrets(stored, secrets);
  });

  test('are not in the log at any level', async () => {
    const before = log.length;
    const { secrets } = await runEveryOperation();
    const logLines = log.slice(before).join('');
    expect(logLines).toContain('/api/guardian/accept/:token');
    expect(logLines).toContain('/api/guardian/confirm-recovery/:token');
    expectNoSecrets(log.join(''), secrets);
  });
});

describe('the vault deletes', () => {
  test('a used or expired link, and immediately a guardian who was never eligible', async () => {
    const used = await guardians.invited();
    const open = await guardians.invited();
    expect(await vaultHas(`invitation:${used.invitationId}`)).toBe(true);
    const acceptance = guardians.acceptance(newPerson(), used.holder.id, used.invitationId);
    expect((await service.post(used.path, acceptance)).status).toBe(200);
    expect(await vaultHas(`invitation:${used.invitationId}`)).toBe(false);
    expect(await vaultHas(`invitation:${open.invitationId}`)).toBe(true);
    const pending = await guardians.invited(used.holder, 'secondary');
    expect((await guardians.configure(used.holder, null)).status).toBe(200);
    for (const row of [`guardian:${pending.guardianId}`, `invitation:${pending.invitationId}`]) {
      expect(await vaultHas(row)).toBe(false);
    }
    shift += 73 * HOUR;
    await expect.poll(() => vaultHas(`invitation:${open.invitationId}`)).toBe(false);
  });

  test('a mailed recovery link when it is used, when another request is executed, and when it expires', async () => {
    const {
      holder,
      guardians: [primary, secondary, tertiary],
    } = await guardians.guarded({ count: 3 });
    if (!tertiary) throw new Error('Three guardians are needed.');
    const rows = (request: Answer['body'], accepted: readonly AcceptedGuardian[]) =>
      Promise.all(accepted.map(({ id }) => vaultHas(`recovery:${request.request_id}:${id}`)));
    const next = newPerson().publicKey;
    const request = await guardians.asked(holder.id, next);
    expect(await rows(request, [primary, secondary, tertiary])).toEqual([true, true, true]);
    await guardians.confirm(request, holder, next, primary);
    expect(await rows(request, [primary, secondary, tertiary])).toEqual([false, true, true]);
    await guardians.confirm(request, holder, next, secondary);
    expect(await rows(request, [primary, secondary, tertiary])).toEqual([false, false, false]);
    const open = await guardians.guarded();
    const later = await guardians.asked(open.holder.id, newPerson().publicKey);
    expect(await rows(later, open.guardians)).toEqual([true, true]);
    shift += 73 * HOUR;
    await expect.poll(() => rows(later, open.guardians)).toEqual([false, false]);
  });

  test('the name of a removed guardian after 72 hours', async () => {
    const {
      holder,
      guardians: [primary, secondary],
    } = await guardians.guarded();
    expect((await guardians.configure(holder, null)).status).toBe(200);
    shift += 71 * HOUR;
    expect([await nameIsStored(primary), await nameIsStored(secondary)]).toEqual([true, true]);
    shift += 2 * HOUR;
    await expect.poll(async () => [await nameIsStored(primary), await nameIsStored(secondary)]).toEqual([false, false]);
  });

  test('the old name of a guardian who was removed and invited again under a new one', async () => {
    const {
      holder,
      guardians: [primary],
    } = await guardians.guarded();
    expect((await guardians.configure(holder, null)).status).toBe(200);
    expect(await nameIsStored(primary)).toBe(true);
    const back = await guardians.seat(holder, 'primary', primary.person);
    expect([await nameIsStored(back), await nameIsStored(primary)]).toEqual([true, false]);
  });

  test('guardians whom a recovery removes', async () => {
    const {
      holder,
      guardians: [primary, secondary],
    } = await guardians.guarded();
    expect((await guardians.configure(holder, null)).status).toBe(200);
    const [thirdGuardian, fourthGuardian] = [
      await guardians.seat(holder, 'primary'),
      await guardians.seat(holder, 'secondary'),
    ];
    const next = newPerson();
    const request = await guardians.asked(holder.id, next.publicKey);
    for (const guardian of [primary, secondary]) {
      const links = request.links.filter(({ role }: { role: string }) => role === guardian.role);
      for (const link of links) {
        await guardians.confirm({ ...request, links: [link] }, holder, next.publicKey, guardian);
      }
    }
    expect((await guardians.beoOf(holder.id)).public_key).toBe(next.publicKey);
    expect(await Promise.all([primary, secondary, thirdGuardian, fourthGuardian].map(nameIsStored))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('all rows of a destroyed identity', async () => {
    const destroyed = await runEveryOperation();
    const unaffected = await runEveryOperation();
    const owned: [string, string][] = [
      ['vault_rows', 'owner_id'],
      ['vault_keys', 'owner_id'],
      ['invitations', 'beo_id'],
      ['recovery_requests', 'beo_id'],
      ['recovery_mailings', 'beo_id'],
      ['mails', 'owner_id'],
    ];
    const counts = (id: string) => Promise.all(owned.map(([table, column]) => rowsOf(table, column, id)));
    const links = `SELECT 1 FROM recovery_links link LEFT JOIN recovery_requests request ON request.id = link.request_id
                   WHERE request.id IS NULL OR request.beo_id = $1`;
    const linksOf = async (id: string) => (await running.context.pool.query(links, [id])).rows.length;
    const before = await counts(unaffected.holder.id);
    for (const count of [...before, ...(await counts(destroyed.holder.id))]) expect(count).toBeGreaterThan(0);
    expect(await linksOf(destroyed.holder.id)).toBe(2);
    expect((await guardians.beo(destroyed.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    expect(await counts(destroyed.holder.id)).toEqual(owned.map(() => 0));
    expect(await linksOf(destroyed.holder.id)).toBe(0);
    const after = await counts(unaffected.holder.id);
    // The outbox drops mails about what is over, whenever it comes to them.
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).toBeGreaterThan(0);
    const { rows } = await running.context.pool.query('SELECT recovery FROM beos WHERE id = $1', [destroyed.holder.id]);
    expect(rows[0].recovery).toMatchObject({ enabled: false, guardians: [], requests: [], recoveredAt: null });
  });
});
