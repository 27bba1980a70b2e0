import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadWallet } from '../../server/network/wallet.ts';
import { type LoadResult, lostOf, startSteadyLoad } from '../../server/testing/test-steady-load.ts';
import { commandsIn, splitAfter } from './documented.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type CreatedKeys, createKeys, secretsOf, settingsWith } from './keys.ts';
import { bootMachine, type Machine } from './machine.ts';
import { commitNextVersion, createRepository } from './repository.ts';
import { expectReady, underLoad } from './test-creations.ts';

// deploy/systemd in a Debian 12 that systemd has booted, with the commands of docs/deployment.md as they are written there.

const DOCUMENT = 'docs/deployment.md';
const CLONE = '/root/perpetua';
const PASSWORD = randomBytes(24).toString('hex');

let machine: Machine;
let gateway: Gateway;
let keys: CreatedKeys;
let url: string;
/** What the service acknowledged, in all tests. */
const acknowledged: string[] = [];

beforeAll(async () => {
  machine = await bootMachine(37);
  gateway = await startGateway(machine.network.host);
  url = `http://${machine.network.address}:3000`;
  createRepository(machine.path(CLONE));
});
afterAll(async () => {
  await gateway?.stop();
  await machine?.remove();
});

const inClone = (commands: string) => machine.run(`cd ${CLONE}\n${commands}`);
const show = async (property: string) =>
  (await machine.run(`systemctl show --property=${property} --value perpetua`)).trim();
const mainPid = async () => Number(await show('MainPID'));

/** Also notes what the service acknowledged. */
async function loaded(work: () => Promise<unknown>): Promise<LoadResult> {
  const result = await underLoad(url, work);
  acknowledged.push(...result.acknowledged);
  return result;
}

/** The programs of the processes of the unit: of the parent, then of those that serve. */
const programs = async () => (await machine.run('ps -u perpetua -o args= | grep -o "/opt/.*main.js" || true')).trim();
const programsOf = (version: string) =>
  expect.stringMatching(
    new RegExp(`^/opt/perpetua/current/.+(\\n/opt/perpetua/releases/${version}/.build/server-.+){2}$`),
  );

test('the commands of the document install and start the service, and the doctor finds no error', async () => {
  const [database = '', install = ''] = commandsIn(DOCUMENT, 'systemd');
  await machine.run(database, { input: `${PASSWORD}\n${PASSWORD}\n` });
  const [before, after] = splitAfter(install, /\/etc\/perpetua /);
  await inClone(before);
  keys = await createKeys((commands) => machine.run(`cd /etc/perpetua\n${commands}`));
  const settings = {
    ...settingsWith(keys, gateway, url),
    DATABASE_URL: `postgres://perpetua:${PASSWORD}@127.0.0.1/perpetua`,
    REDIS_URL: 'redis://127.0.0.1:6379',
    HOST: machine.network.address,
    PROCESSES: '2',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await machine.run('umask 077; cat > /etc/perpetua/perpetua.env', { input: lines.join('') });
  await gateway.devnet.mint(loadWallet(machine.path('/etc/perpetua/wallet.json')).address, 10n ** 18n);
  const output = await inClone(`cd /opt/perpetua/releases/1.0.0\n${after}`);
  expect(output).toMatch(/^ok +key files$/m);
  expect(output).toMatch(/^ok +Redis$/m);
  expect(output).not.toMatch(/^error /m);
  await expectReady(url);
  expect(await programs()).toEqual(programsOf('1.0.0'));
});

test('systemd rates the exposure of the running unit below 2.0, and the sandbox is in effect', async () => {
  const rated = await machine.run('systemd-analyze --no-pager security perpetua');
  expect(Number(/exposure level for perpetua\.service: ([\d.]+)/.exec(rated)?.[1])).toBeLessThan(2);
  const pid = await mainPid();
  const proc = await machine.run(`cat /proc/${pid}/status`);
  expect(proc).toMatch(/^NoNewPrivs:\t1$/m);
  expect(proc).toMatch(/^Seccomp:\t2$/m);
  expect(proc).toMatch(/^CapEff:\t0+$/m);
  expect(proc).toMatch(/^CapBnd:\t0+$/m);
  const within = (command: string) =>
    machine.run(`nsenter --target ${pid} --mount --setuid $(id -u perpetua) --setgid $(id -g perpetua) -- ${command}`);
  for (const folder of ['/opt/perpetua', '/etc', '/var/log', '/usr']) {
    await expect(within(`touch ${folder}/written`)).rejects.toThrow(/Read-only file system/);
  }
  await within('touch /var/lib/perpetua/written');
  await expect(within('cat /etc/perpetua/relayer.key')).rejects.toThrow(/Permission denied/);
});

test('after kill -9 of the main process systemd starts it again, writes and reads go on, and nothing is lost', async () => {
  const [before, restarts] = [await mainPid(), Number(await show('NRestarts'))];
  const { acknowledged: ids, longestGapMs } = await loaded(async () => {
    await machine.run(`kill -9 ${before}`);
    await expect.poll(mainPid, { interval: 100 }).not.toBe(before);
  });
  console.log(`kill -9: ${(longestGapMs / 1_000).toFixed(1)} seconds without a write`);
  expect(Number(await show('NRestarts'))).toBe(restarts + 1);
  expect(await lostOf(url, ids)).toEqual([]);
});

test('the commands of the document upgrade to the next version without losing a request', async () => {
  const migration = commitNextVersion(machine.path(CLONE));
  const [upgrade = ''] = commandsIn(DOCUMENT, 'Upgrade');
  const parent = await mainPid();
  const { failures, acknowledged: ids } = await loaded(async () => {
    const output = await inClone(upgrade);
    expect(output).not.toMatch(/^error /m);
    await expect.poll(programs).toEqual(programsOf('1.1.0'));
  });
  expect(failures).toEqual([]);
  expect(await lostOf(url, ids)).toEqual([]);
  expect(await mainPid()).toBe(parent);
  const applied = await machine.run(
    `runuser -u postgres -- psql -tA perpetua -c "SELECT name FROM migrations WHERE name = '${migration}'"`,
  );
  expect(applied.trim()).toBe(migration);
});

test('the commands of the document go back to the version before', async () => {
  const [downgrade = ''] = commandsIn(DOCUMENT, 'Downgrade');
  await machine.run(downgrade);
  await expectReady(url);
  expect(await programs()).toEqual(programsOf('1.0.0'));
});

test('systemctl stop ends it in order, and no acknowledged operation is lost', async () => {
  const load = startSteadyLoad(url);
  await expect.poll(load.created).toBeGreaterThan(100);
  await machine.run('systemctl stop perpetua');
  const { acknowledged: ids } = await load.stop();
  acknowledged.push(...ids);
  expect(await show('Result')).toBe('success');
  expect(await programs()).toBe('');
  await machine.run('systemctl start perpetua');
  await expectReady(url);
  expect(await lostOf(url, acknowledged)).toEqual([]);
});

test('the journal has the log of the service, and no secret', async () => {
  const journal = await machine.run('journalctl --no-pager -o cat');
  expect(journal).toContain(`Perpetua serves on ${url} with 2 processes`);
  const secrets = [...secretsOf(machine.path('/etc/perpetua'), keys), PASSWORD];
  expect(secrets.filter((secret) => !secret || journal.includes(secret))).toEqual([]);
});
