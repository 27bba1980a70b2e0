import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadWallet } from '../../server/network/wallet.ts';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { startTcpProxy, type TcpProxy } from '../../server/testing/tcp-proxy.ts';
import { lostOf } from '../../server/testing/test-steady-load.ts';
import { commandsIn } from './documented.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type CreatedKeys, createKeys, secretsOf, settingsWith } from './keys.ts';
import { createNetwork, type OwnNetwork } from './own-network.ts';
import { NODE_IMAGE, type Podman, startPodman } from './podman.ts';
import { createRepository } from './repository.ts';
import { expectReady, underLoad } from './test-creations.ts';

// deploy/Containerfile, built and run by podman with the commands of docs/deployment.md, on a base image made here.

const home = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-image-`));
const clone = join(home, 'perpetua');
let network: OwnNetwork;
let podman: Podman;
let gateway: Gateway;
let database: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let databaseProxy: TcpProxy;
let url: string;
let keys: CreatedKeys;

beforeAll(async () => {
  network = await createNetwork(38);
  podman = await startPodman(network);
  gateway = await startGateway(network.host);
  database = await startEmbeddedPostgres({ dataDir: join(home, 'data'), log: () => undefined });
  databaseProxy = await startTcpProxy(Number(new URL(database.url).port), network.host);
  network.publish(3000);
  url = `http://${network.address}:3000`;
  createRepository(clone);
});
afterAll(async () => {
  await podman?.clear();
  await databaseProxy?.stop();
  await database?.stop();
  await gateway?.stop();
  await network?.remove();
  rmSync(home, { recursive: true, force: true });
});

const inClone = (commands: string) => podman.run(commands, { cwd: clone });
const inContainer = (command: string) => podman.run(`podman exec perpetua ${command}`);
const state = async (property: string) =>
  (await podman.run(`podman inspect --format '{{.State.${property}}}' perpetua`)).trim();

test('the commands of the document build the image, the doctor finds no error in it, and the service starts', async () => {
  keys = await createKeys(inClone);
  await gateway.devnet.mint(loadWallet(join(clone, 'wallet.json')).address, 10n ** 18n);
  const { username, password } = new URL(database.url);
  const settings = {
    ...settingsWith(keys, gateway, url),
    DATABASE_URL: `postgres://${username}:${password}@${network.host}:${databaseProxy.port}/perpetua`,
    ARWEAVE_WALLET_FILE: '/run/secrets/wallet.json',
    RELAYER_KEY_FILE: '/run/secrets/relayer.key',
    CHECKPOINT_KEY_FILE: '/run/secrets/checkpoint.key',
    WEBHOOK_KEY_FILE: '/run/secrets/webhook.key',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(clone, 'perpetua.env'), lines.join(''), { mode: 0o600 });
  const [commands = ''] = commandsIn('docs/deployment.md', 'Container');
  const output = await inClone(commands);
  expect(output).toMatch(/^ok +wallet$/m);
  expect(output).toMatch(/^ok +proxy$/m);
  expect(output).not.toMatch(/^error /m);
  await expect.poll(() => podman.run('podman healthcheck run perpetua'), { interval: 100 }).toBeDefined();
  const seconds = (Date.now() - Number(await state('StartedAt.UnixMilli'))) / 1_000;
  await expectReady(url);
  const sizes = await podman.run(`podman image inspect --format '{{.Size}}' perpetua ${NODE_IMAGE}`);
  const [image = 0, base = 0] = sizes.split('\n').map((bytes) => Math.round(Number(bytes) / 1e6));
  console.log(`healthy ${seconds.toFixed(1)} s after its start; ${image - base} MB more than its base of ${base} MB`);
});

test('the container runs as user 10001 without capabilities, on a read-only system and without npm', async () => {
  expect((await inContainer('id -u')).trim()).toBe('10001');
  const proc = await inContainer('cat /proc/1/status');
  expect(proc).toMatch(/^CapEff:\t0+$/m);
  expect(proc).toMatch(/^CapBnd:\t0+$/m);
  expect(proc).toMatch(/^NoNewPrivs:\t1$/m);
  await expect(inContainer('touch /app/written')).rejects.toThrow(/Read-only file system/);
  await inContainer('touch /data/written');
  expect(await inContainer('ls /usr/local/bin /usr/bin')).not.toMatch(/^(npm|npx|yarn|corepack)$/m);
});

test('no secret is in an image of the build, its history or the log', async () => {
  const secrets = [...secretsOf(clone, keys), new URL(database.url).password];
  expect(secrets.filter((secret) => !secret)).toEqual([]);
  const described = await podman.run(
    'podman image inspect perpetua; podman history --no-trunc perpetua; podman logs perpetua',
  );
  expect(described).toContain('Perpetua serves on');
  expect(secrets.filter((secret) => described.includes(secret))).toEqual([]);
  writeFileSync(join(home, 'secrets'), `${secrets.join('\n')}\n`);
  const found = await podman.run(
    `for image in $(podman images --all --quiet --filter since=${NODE_IMAGE} | sort -u); do
       folder=$(podman image mount $image)
       grep -rlsFf ${join(home, 'secrets')} $folder/app --exclude-dir=node_modules || true
       podman image unmount $image > /dev/null
     done`,
  );
  expect(found).toBe('');
});

test('after kill -9 the container starts again with its data, and no acknowledged operation is lost', async () => {
  const { acknowledged, longestGapMs } = await underLoad(url, () => podman.kill('perpetua'));
  console.log(`kill -9: ${(longestGapMs / 1_000).toFixed(1)} seconds without a write`);
  await inContainer('ls /data/written');
  expect(await lostOf(url, acknowledged)).toEqual([]);
});

test('podman stop ends the service in order, and it does not start again', async () => {
  await podman.run('podman stop perpetua');
  expect(await state('ExitCode')).toBe('0');
  expect(await state('Status')).toBe('exited');
});
