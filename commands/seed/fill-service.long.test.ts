import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mnemonicToSeedSync } from '@scure/bip39';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtCommands } from '../../auditor/audit/test-worker.ts';
import { signedFields, signingKeyOf } from '../../server/platform/crypto/signed-request.ts';
import { writeRunningFile } from '../../server/platform/data-folder/running-file.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import { type Seeded, seed } from './fill-service.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

/** Runs the command as `npm run seed` does. */
async function runSeed({ url, dataDir }: Pick<TestService, 'url' | 'dataDir'>, ...options: string[]) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [commands.path('seed'), '--url', url, ...options], {
    env: { PATH, HOME, NODE_ENV: 'production', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  return { status: status as number, text };
}

/** The file that a run of the command has written. */
function writtenFile(dataDir: string, number: number): string {
  const folder = join(dataDir, 'seed');
  const file = readdirSync(folder).find((name) => name.endsWith(`-${number}.json`));
  return join(folder, file ?? 'missing');
}

describe('seeding a service on the test network', () => {
  let service: TestService;
  let seeded: Seeded;

  beforeAll(async () => {
    service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
    const { gatewayUrl: gateway_url, databaseUrl: database_url } = service;
    writeRunningFile(service.dataDir, { pid: process.pid, gateway_url, database_url });
    const { status, text } = await runSeed(service);
    expect(status, text).toBe(0);
    expect(text).toMatch(
      `Recovery words to sign in with, and the links of open invitations: ${writtenFile(service.dataDir, 1)}\n`,
    );
    seeded = JSON.parse(readFileSync(writtenFile(service.dataDir, 1), 'utf8'));
  });
  afterAll(() => service.stop());

  const member = (name: string) => {
    const found = [...seeded.people, ...seeded.institutions].find(({ domain }) => domain === `${name}.bsp`);
    if (!found) throw new Error(`${name} was not seeded.`);
    return found;
  };
  const keyOf = (words: string) => signingKeyOf(Buffer.from(mnemonicToSeedSync(words).subarray(0, 32)).toString('hex'));
  /** A request signed with a member's recovery words. */
  const asMember = (name: string, functionName: string, fields: Record<string, string>) =>
    signedFields(
      functionName,
      { ledgerId: seeded.ledger_id, ...fields },
      keyOf(member(name).recovery_words).privateKey,
    );

  test('writes what it created, with the recovery words, to a file that only its owner can read', () => {
    expect(statSync(writtenFile(service.dataDir, 1)).mode & 0o777).toBe(0o600);
    expect(seeded).toMatchObject({ url: service.url, number: 1 });
  });

  test('creates six people and five institutions with keys from the recovery words', async () => {
    expect(seeded.people).toHaveLength(6);
    expect(seeded.institutions.map(({ type }) => type).toSorted()).toEqual([
      'HOSPITAL',
      'INSURER',
      'LAB',
      'PLATFORM',
      'WEARABLE',
    ]);
    for (const { domain, id, public_key, recovery_words } of seeded.people) {
      const { beo } = (await service.get(`/api/beos/domain/${domain}`)).body;
      expect([beo.beo_id, beo.public_key]).toEqual([id, public_key]);
      expect(keyOf(recovery_words).publicKey).toBe(public_key);
    }
    for (const { domain, id, public_key, recovery_words } of seeded.institutions) {
      const { ieo } = (await service.get(`/api/ieos/domain/${domain}`)).body;
      expect([ieo.ieo_id, ieo.public_key]).toEqual([id, public_key]);
      expect(keyOf(recovery_words).publicKey).toBe(public_key);
    }
  });

  test('certifies three of the institutions', async () => {
    const levels = [];
    for (const { id, certified } of seeded.institutions) {
      const { level } = (await service.get(`/api/ieos/${id}`)).body.ieo.certification;
      expect(level !== 'UNCERTIFIED').toBe(certified);
      levels.push(level);
    }
    expect(levels.toSorted()).toEqual(['ADVANCED', 'ADVANCED', 'BASIC', 'UNCERTIFIED', 'UNCERTIFIED']);
  });

  test('grants consents of different lengths: one is revoked, one ends within a day', async () => {
    const { tokens, count } = (await service.get('/api/consent/history/ana-souza.bsp')).body;
    expect(count).toBe(6);
    const byGrantee = new Map<string, { status: string; expires_at: string | null }>(
      tokens.map((token: { ieo_domain: string }) => [token.ieo_domain, token]),
    );
    expect(byGrantee.get('longevity-compass.bsp')?.status).toBe('REVOKED');
    expect(byGrantee.get('meridiano-lab.bsp')).toMatchObject({ status: 'ACTIVE', expires_at: null });
    const ends = Date.parse(byGrantee.get('seguros-horizonte.bsp')?.expires_at ?? '');
    expect(ends - Date.now()).toBeLessThanOrEqual(24 * 3_600_000);
    for (const { token_id, revoked } of seeded.consents) {
      expect((await service.get(`/api/consent/${token_id}`)).body.valid).toBe(!revoked);
    }
  });

  test('gives one person three guardians, two of them confirmed, and leaves two invitations open', async () => {
    const { beo } = (await service.get('/api/beos/domain/ana-souza.bsp')).body;
    const guardians: { status: string; confirmed: boolean }[] = beo.recovery.guardians;
    expect(guardians.map(({ status, confirmed }) => [status, confirmed])).toEqual([
      ['ACTIVE', true],
      ['ACTIVE', true],
      ['ACTIVE', false],
    ]);
    const open = seeded.guardians.flatMap(({ open_link }) => open_link ?? []);
    expect(open).toHaveLength(2);
    for (const link of open) {
      const { status } = await service.get(new URL(link).pathname, { accept: 'application/json' });
      expect(status).toBe(200);
    }
  });

  test('submits records of two years for two people, one of them corrected', async () => {
    expect(seeded.people.filter(({ records }) => records > 0)).toHaveLength(2);
    const token = seeded.consents.find(({ from, to }) => from === 'ana-souza.bsp' && to === 'santa-aurelia.bsp');
    const read = async (filters: Record<string, string>) => {
      const fields = { targetBeo: member('ana-souza').id, consentToken: token?.token_id ?? '' };
      const query = new URLSearchParams({ ...asMember('santa-aurelia', 'readRecords', fields), ...filters });
      const { status, body } = await service.get(`/api/exchange/records?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const active = await read({ status: 'ACTIVE' });
    const superseded = await read({ status: 'SUPERSEDED' });
    expect(active.total + superseded.total).toBe(seeded.people[0]?.records);
    expect(superseded.total).toBe(1);
    const biomarkers = new Set(active.records.map(({ biomarker }: { biomarker: string }) => biomarker));
    for (const biomarker of ['BSP-DV-002', 'BSP-DV-005']) expect(biomarkers).toContain(biomarker);
    const oldest = await read({ to: new Date(Date.now() - 600 * 24 * 3_600_000).toISOString() });
    expect(oldest.total).toBeGreaterThan(30);
  });

  test('creates a second set with numbered names, and does not send the institute’s keys to another service', async () => {
    const { databaseUrl: database_url, dataDir } = service;
    writeRunningFile(dataDir, { pid: process.pid, gateway_url: 'http://127.0.0.1:9', database_url });
    const file = join(dataDir, 'elsewhere', 'words.json');
    const { status, text } = await runSeed(service, '--out', file);
    expect(status, text).toBe(0);
    expect(text).toContain('Certified no institution: DATA_DIR does not belong to this service');
    expect(text).toContain(`open invitations: ${file}\n`);
    const second: Seeded = JSON.parse(readFileSync(file, 'utf8'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(second.number).toBe(2);
    expect(second.people[0]?.domain).toBe('ana-souza-2.bsp');
    expect(second.institutions.some(({ certified }) => certified)).toBe(false);
  });

  test('reports an institute key that the service does not know, and creates the rest', async () => {
    const notes: string[] = [];
    const note = (sentence: string) => notes.push(sentence);
    const instituteKeyAt = () => 'not a key of this service';
    const third = await seed({ url: service.url, suffix: 'bsp', instituteKeyAt, note });
    expect(third.institutions.some(({ certified }) => certified)).toBe(false);
    const refused = notes.filter((sentence) => sentence.startsWith('PulseBand was not certified: '));
    expect(refused).toHaveLength(1);
  });
});

test('a file for the words that exists, or cannot be written, is refused before anything is created', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const file = join(service.dataDir, 'words.json');
  writeFileSync(file, '{}');
  const taken = await runSeed(service, '--out', file);
  expect(taken).toEqual({ status: 2, text: `It could not be done: ${file} exists already.\n` });
  const below = await runSeed(service, '--out', join(file, 'words.json'));
  expect([below.status, below.text]).toEqual([2, expect.stringMatching(/words\.json cannot be written/)]);
  expect((await service.get('/api/ledger')).body.head.seq).toBe(0);
});

test('a service on a permanent network is refused before anything is created', async () => {
  const service = await startTestService({}, { kind: 'arweave' });
  onTestFinished(() => service.stop());
  const { status, text } = await runSeed(service);
  const sentence = `The service at ${service.url} writes to a permanent network. Only a test network can be seeded.`;
  expect([status, text]).toEqual([2, `It could not be done: ${sentence}\n`]);
  expect((await service.get('/api/ledger')).body.head.seq).toBe(0);
});

test('an unreachable service is reported in a sentence', async () => {
  const refused = seed({ url: 'http://127.0.0.1:9', suffix: 'bsp', instituteKeyAt: () => null, note: () => undefined });
  await expect(refused).rejects.toThrow('No service answers at http://127.0.0.1:9.');
});
