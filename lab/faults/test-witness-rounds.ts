import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { buildWitness, runWitness, type WitnessProcess } from '../../auditor/witness/test-witness-process.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { publicKeyOf } from '../../protocol/signing/ed25519.ts';
import { originOf } from '../../protocol/transparency/ledger-log.ts';
import {
  acceptCheckpoint,
  NaiveTree,
  readAddCheckpoint,
} from '../../protocol/transparency/test-second-implementation.ts';
import { formatVerifierKey, newVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { startTestWitness } from '../../server/ledger/transparency/test-witness.ts';
import { startDevnet } from '../../server/network/devnet/devnet.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { migratedDatabase } from '../../server/platform/db/test-database.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { startTcpProxy } from '../../server/testing/tcp-proxy.ts';
import { creation } from '../../server/testing/test-load.ts';
import { createKilledMirror } from './test-killed-mirror.ts';
import { buildThisVersion } from './test-previous-version.ts';

const PROCESSES = 2;

/** `leader`: the process of the service that the mirror follows, and that leads after the first round; `services`: all of them. */
type Victim = 'leader' | 'services' | 'witness' | 'mirror';

/** What is killed in a round, in turn. */
const SCHEDULE: readonly [readonly Victim[], ...(readonly Victim[])[]] = [
  ['leader'],
  ['witness', 'mirror'],
  ['leader', 'witness'],
  ['services', 'mirror'],
  ['mirror'],
  ['services'],
  ['leader', 'mirror'],
  ['witness'],
  ['services', 'witness', 'mirror'],
];

export interface WitnessRounds {
  readonly kills: Readonly<Record<'services' | 'witness' | 'mirror', number>>;
  /** Checkpoints that were signed. */
  readonly checkpoints: number;
  readonly entries: number;
  /** What must never be; each in one sentence. */
  readonly violations: readonly string[];
}

/**
 * Rounds of kill -9, under load, of the service processes (of which one leads), of a witness of `npm run witness` and of a mirror of
 * `npm run mirror`. A second witness, of another implementation, is never killed and records every checkpoint that leaves the service.
 * The mirror follows the leader. In most rounds in which it is not killed itself, it loses its service, which continues on the same
 * data. The next round begins only after the mirror has verified new entries.
 */
export async function runWitnessRounds(rounds: number): Promise<WitnessRounds> {
  const directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  const [database, api, built] = await Promise.all([migratedDatabase(), buildThisVersion(), buildWitness()]);
  const log = pino({ level: 'silent' });
  const devnet = await startDevnet({
    directory: join(directory, 'devnet'),
    blockMs: 25,
    log,
    wallet: await testWallet(),
  });
  const files = keyFiles(directory);
  const recorder = await startTestWitness('recorder.example', [files.logKey]);
  const port = await freePort();
  const witnessDirectory = join(directory, 'witness');
  const startWitness = () =>
    runWitness(
      built.program,
      '--name',
      'killed.example',
      '--log',
      files.logKey,
      '--dir',
      witnessDirectory,
      '--port',
      String(port),
    );
  let witness: WitnessProcess = await startWitness();
  const env = {
    ...files.env,
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    ARWEAVE_GATEWAY_URL: devnet.url,
    ARWEAVE_WALLET_FILE: devnet.walletFile,
    BUNDLE_MAX_AGE_MS: '50',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    WITNESSES: `http://127.0.0.1:${port} ${witness.vkey},${recorder.setting}`,
  };
  const startServices = (count: number) => Promise.all(Array.from({ length: count }, () => startApi(api, env)));
  let services = await startServices(PROCESSES);
  const current = () => services.map(({ port }) => `http://127.0.0.1:${port}`);
  // The address that the mirror follows stays the same when a process is replaced.
  const proxy = await startTcpProxy(() => services[0]?.port ?? 0);
  const mirror = await createKilledMirror(`http://127.0.0.1:${proxy.port}`, directory);
  await mirror.start();
  const waitForMirror = (condition: () => Promise<boolean>, what: string) =>
    waitFor(condition, what).catch((error) => {
      throw new Error(`${error.message} The mirror printed: ${mirror.text()}`);
    });
  const load = startLoad(current);
  const vkeys = [witness.vkey, recorder.witness.vkey];
  const kills = { services: 0, witness: 0, mirror: 0 };
  try {
    for (let round = 0; round < rounds; round++) {
      const [before, verified] = [recorder.requests.length, await mirror.verifiedTo()];
      await waitFor(() => recorder.requests.length > before, 'a checkpoint in a round');
      await waitForMirror(async () => (await mirror.verifiedTo()) > verified, 'a new entry in the mirror in a round');
      await sleep(Math.random() * 300);
      const victims = SCHEDULE[round % SCHEDULE.length] ?? SCHEDULE[0];
      const count = victims.includes('services') ? PROCESSES : victims.includes('leader') ? 1 : 0;
      const [dead, alive] = [services.slice(0, count), services.slice(count)];
      const isKilled = { witness: victims.includes('witness'), mirror: victims.includes('mirror') };
      await Promise.all([
        ...dead.map(({ child }) => killed(child)),
        isKilled.witness && killed(witness.child),
        isKilled.mirror && mirror.kill(),
      ]);
      kills.services += count;
      kills.witness += Number(isKilled.witness);
      kills.mirror += Number(isKilled.mirror);
      // The one that was not killed comes first, so that it is killed the next time.
      const [started] = await Promise.all([startServices(count), isKilled.mirror && mirror.start()]);
      services = [...alive, ...started];
      if (isKilled.witness) witness = await startWitness();
    }
    await load.stop();
    const [url = ''] = current();
    const headSeq = async () => {
      const { head } = (await (await fetch(`${url}/api/ledger`)).json()) as { head: { seq: number } };
      return head.seq;
    };
    const settled = async () => {
      const bytes = Buffer.from(await (await fetch(`${url}/tlog/checkpoint`)).arrayBuffer());
      return Number(acceptCheckpoint(bytes, files.logKey, vkeys, 2)?.size ?? -1) === (await headSeq());
    };
    await waitFor(settled, 'a last checkpoint with both cosignatures');
    await waitForMirror(async () => mirror.hasReached(await headSeq()), 'a mirror that has reached the head');
    const judged = await judge(database.url, recorder.requests, files.logKey, witnessDirectory);
    const violations = [...judged.violations, ...(await mirror.violations(database.url))];
    return { ...judged, kills, violations };
  } finally {
    await load.stop();
    await Promise.all([...services.map(({ child }) => child), witness.child].map(killed));
    await mirror.remove();
    await Promise.all([recorder.stop(), devnet.stop(), built.remove(), proxy.stop()]);
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function keyFiles(directory: string) {
  const keys = join(directory, 'keys');
  mkdirSync(keys, { recursive: true });
  const file = (name: string) => {
    const seed = randomBytes(32);
    const path = join(keys, name);
    writeFileSync(path, seed.toString('hex'), { mode: 0o600 });
    return { path, publicKey: publicKeyOf(seed) };
  };
  const [relayer, checkpoint] = [file('relayer.key'), file('checkpoint.key')];
  const logKey = formatVerifierKey(newVerifierKey(originOf(ledgerIdOf(relayer.publicKey)), 1, checkpoint.publicKey));
  return {
    logKey,
    env: {
      RELAYER_KEY_FILE: relayer.path,
      CHECKPOINT_KEY_FILE: checkpoint.path,
      VAULT_KEY: randomBytes(32).toString('hex'),
    },
  };
}

interface ApiProcess {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startApi(program: string, env: Record<string, string>): Promise<ApiProcess> {
  const { PATH, HOME } = process.env;
  const child = fork(program, [], {
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (text) => (errors += text));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`A process of the service ended: ${errors}`);
  });
  const [port] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return { child, port: port as number };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Writes over four connections, whatever fails. */
function startLoad(urls: () => readonly string[]): { stop(): Promise<void> } {
  let isOn = true;
  const connection = async (index: number) => {
    while (isOn) {
      const url = urls()[index % PROCESSES];
      await fetch(`${url}/api/relayer/beo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(creation()),
      })
        .then((response) => response.arrayBuffer())
        .catch(() => sleep(50));
      await sleep(20);
    }
  };
  const connections = Array.from({ length: 4 }, (_, index) => connection(index));
  return {
    async stop() {
      isOn = false;
      await Promise.all(connections);
    },
  };
}

async function waitFor(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    await sleep(50);
  }
  throw new Error(`There was not ${what} within two minutes.`);
}

/** Compares everything that was signed with the roots of the entries, by the second implementation. */
async function judge(databaseUrl: string, requests: readonly Buffer[], logKey: string, witnessDirectory: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM ledger_entries ORDER BY seq');
  await client.end();
  const tree = new NaiveTree(rows.map(({ id }) => Buffer.from(id, 'base64url')));
  const rootOf = (size: number) => tree.mth(0, size).toString('base64');
  const violations: string[] = [];
  const sizes = new Set<number>();
  for (const body of requests) {
    const request = readAddCheckpoint(body);
    const note = body.subarray(body.indexOf('\n\n') + 2);
    const signed = acceptCheckpoint(note, logKey, [], 0);
    if (!request || !signed) {
      violations.push('The service sent a request that is malformed or not signed.');
      continue;
    }
    const size = Number(signed.size);
    sizes.add(size);
    const root = signed.root.toString('base64');
    if (size > rows.length || root !== rootOf(size))
      violations.push(`The checkpoint of size ${size} has the root ${root}.`);
  }
  const state = JSON.parse(readFileSync(join(witnessDirectory, 'state.json'), 'utf8'));
  for (const { size, root } of Object.values(state.logs) as { size: number; root: string }[]) {
    if (root !== rootOf(size)) violations.push(`The witness cosigned the root ${root} of size ${size}.`);
  }
  return { checkpoints: sizes.size, entries: rows.length, violations };
}
