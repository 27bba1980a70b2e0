import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirePackages } from '../../server/launch/debian.mjs';
import { loadWallet } from '../../server/network/wallet.ts';
import { requestOnce } from '../../server/processes/test-http-requests.ts';
import { type LoadResult, lostOf } from '../../server/testing/test-steady-load.ts';
import { commandsIn, splitAfter } from './documented.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type CreatedKeys, createKeys, secretsOf, settingsWith } from './keys.ts';
import { createNetwork, type OwnNetwork } from './own-network.ts';
import { type Podman, startPodman } from './podman.ts';
import { commitNextVersion, createRepository } from './repository.ts';
import { expectReady, settled, underLoad } from './test-creations.ts';

// deploy/compose.yaml by podman-compose, with the commands of docs/deployment.md and images that are made here.

const DOCUMENT = 'docs/deployment.md';
const PARTS = ['perpetua', 'redis', 'db1', 'db2', 'prometheus'];
/** Where `docker compose` is defined, by podman-compose. */
const DOCKER = resolve('lab/deployments/docker-compose.sh');

const home = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-compose-`));
const clone = join(home, 'perpetua');
const secretsFolder = join(clone, 'deploy', 'secrets');
let network: OwnNetwork;
let podman: Podman;
let gateway: Gateway;
let url: string;
let keys: CreatedKeys;
/** What the service acknowledged, in all tests. */
const acknowledged: string[] = [];

beforeAll(async () => {
  requirePackages('podman-compose', 'age');
  network = await createNetwork(39);
  podman = await startPodman(network);
  gateway = await startGateway(network.host);
  for (const port of [3000, 9090]) network.publish(port);
  url = `http://${network.address}:3000`;
  createRepository(clone);
});
afterAll(async () => {
  await podman?.clear();
  await gateway?.stop();
  await network?.remove();
  rmSync(home, { recursive: true, force: true });
});

/** With the format of Docker, which has health checks. */
const inClone = (commands: string, env: Readonly<Record<string, string>> = {}) =>
  podman.run(`. ${DOCKER}\n${commands}`, { cwd: clone, env: { BUILDAH_FORMAT: 'docker', ...env } });
const secret = (name: string) => readFileSync(join(secretsFolder, name), 'utf8').trim();
const psql = async (database: string, query: string) =>
  (await podman.run(`podman exec perpetua_${database}_1 psql -U postgres -tA perpetua -c "${query}"`)).trim();

/** Also notes what the service acknowledged. */
async function loaded(work: () => Promise<unknown> = async () => undefined): Promise<LoadResult> {
  const result = await underLoad(url, work);
  acknowledged.push(...result.acknowledged);
  return result;
}

const expectNothingLost = async () => expect(await lostOf(url, acknowledged)).toEqual([]);

/** Waits until the standby has what the primary has. */
async function expectReplicated(primary: string, standby: string): Promise<void> {
  const head = (database: string) => psql(database, 'SELECT coalesce(max(seq), 0) FROM ledger_entries');
  const differ = async () => (await head(primary)) !== (await head(standby));
  await expect.poll(differ, { interval: 500 }).toBe(false);
}

test('the commands of the document build and start every part, and the doctor finds no error', async () => {
  const [commands = ''] = commandsIn(DOCUMENT, 'Compose');
  const [before, afterFolder] = splitAfter(commands, /^mkdir -m 0700 deploy\/secrets/);
  await inClone(before);
  keys = await createKeys((text) => podman.run(text, { cwd: secretsFolder }));
  await gateway.devnet.mint(loadWallet(join(secretsFolder, 'wallet.json')).address, 10n ** 18n);
  const [files, start] = splitAfter(afterFolder, /perpetua\.env\)/);
  await inClone(files);
  editSettings();
  const output = await inClone(start);
  expect(output).toMatch(/^ok +wallet$/m);
  expect(output).toMatch(/^ok +Redis/m);
  expect(output).not.toMatch(/^error /m);
  await expectReady(url);
  await expectReplicated('db1', 'db2');
});

function editSettings(): void {
  const file = join(clone, 'deploy', 'perpetua.env');
  // No proxy is in front.
  const settings: Readonly<Record<string, string>> = { ...settingsWith(keys, gateway, url), TRUST_PROXY: '0' };
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !((line.split('=')[0] ?? '') in settings))
    .map((line) => line.replace(':PASSWORD@', `:${secret('perpetua-password')}@`));
  const added = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(file, `${[...kept, ...added].join('\n')}\n`);
}

test('Prometheus scrapes the service, and has every alert of deploy/prometheus', async () => {
  const get = async (path: string) =>
    JSON.parse((await requestOnce(`http://${network.address}:9090/api/v1/${path}`)).body).data;
  const scraped = async () => (await get(`query?query=${encodeURIComponent('up{job="perpetua"}')}`)).result[0].value[1];
  await expect.poll(scraped, { interval: 500 }).toBe('1');
  const { groups } = await get('rules');
  const names = groups.flatMap(({ rules }: { rules: { name: string }[] }) => rules.map(({ name }) => name));
  expect(names).toEqual(readFileSync('deploy/prometheus/alerts.yml', 'utf8').match(/(?<=alert: )\w+/g));
});

test.each(PARTS)('when %s is killed, it starts again, the service recovers, and nothing is lost', async (part) => {
  const { longestGapMs, failures } = await loaded(() => podman.kill(`perpetua_${part}_1`));
  console.log(
    `${part} killed: ${(longestGapMs / 1_000).toFixed(1)} seconds without a write, ${failures.length} requests failed`,
  );
  await expectReady(url);
  await expectNothingLost();
  await expectReplicated('db1', 'db2');
});

test('the commands of the document upgrade to a new tag', async () => {
  const migration = commitNextVersion(clone);
  const [, upgrade = ''] = commandsIn(DOCUMENT, 'Upgrade');
  const [build, start] = splitAfter(upgrade, / build perpetua/);
  await inClone(build);
  const { longestGapMs } = await loaded(() => inClone(start));
  console.log(`upgrade: ${(longestGapMs / 1_000).toFixed(1)} seconds without a write`);
  await expectReady(url);
  const image = await podman.run(`podman inspect --format '{{.ImageName}}' perpetua_perpetua_1`);
  expect(image).toContain('perpetua:1.1.0');
  expect(await psql('db1', `SELECT name FROM migrations WHERE name = '${migration}'`)).toBe(migration);
  await expectNothingLost();
});

test('a backup that is restored with the commands of the document is brought to the ledger of the network', async () => {
  const [backup = '', restore = ''] = commandsIn(DOCUMENT, 'Backup');
  const folder = join(home, 'backups');
  mkdirSync(folder);
  const here = (commands: string) => commands.replaceAll('/mnt/backups', folder);
  const [RECIPIENT = ''] = /age1\w+/.exec(await inClone('age-keygen -o deploy/backup.key')) ?? [];
  await loaded(() => inClone(here(backup), { RECIPIENT }));
  // What is on the network is there after the restore.
  await settled(url);
  const output = await inClone(here(restore));
  expect(output).toMatch(/^Epoch 2 begins/m);
  await expectReady(url);
  await expectNothingLost();
  await loaded();
  await expectReplicated('db1', 'db2');
});

test('after the loss of the primary the commands of the document promote the standby, and make the other one its standby', async () => {
  const [promote = '', rejoin = ''] = commandsIn(DOCUMENT, 'Failover');
  await expectReplicated('db1', 'db2');
  await inClone(promote);
  await expectReady(url);
  await expectNothingLost();
  await loaded();
  await loaded(() => inClone(`cd deploy\n${rejoin}`));
  await expectReplicated('db2', 'db1');
  await expectNothingLost();
});

test('no secret is in the logs of the containers that run at the end', async () => {
  const logs = await podman.run(PARTS.map((name) => `podman logs perpetua_${name}_1`).join('\n'));
  expect(logs).toContain('Perpetua serves on');
  const passwords = ['postgres-password', 'perpetua-password'].map(secret);
  const secrets = [...secretsOf(secretsFolder, keys), ...passwords];
  expect(secrets.filter((secret) => !secret || logs.includes(secret))).toEqual([]);
});
