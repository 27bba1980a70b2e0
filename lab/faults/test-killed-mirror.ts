import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../auditor/audit/test-operator.ts';
import { builtCommands } from '../../auditor/audit/test-worker.ts';
import { VERIFIED_HEADER } from '../../auditor/mirror/serve-mirror.ts';
import { type MirrorProcess, spawnMirror } from '../../auditor/mirror/test-mirror-process.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';

/** A mirror of `npm run mirror` that is killed and started again on the same data. */
export interface KilledMirror {
  /** Starts it, and waits until it serves. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** The seq of the last entry that it has verified; 0 if it does not respond. */
  verifiedTo(): Promise<number>;
  /** Whether it has verified the entries to this one, has the signed head over them, and found all of them FINAL on the network. */
  hasReached(seq: number): Promise<boolean>;
  /** What its processes have printed. */
  text(): string;
  /** What must never be, compared with the database of the service; each in one sentence. */
  violations(serviceDatabaseUrl: string): Promise<string[]>;
  remove(): Promise<void>;
}

const START_MS = 240_000;

/** @param directory where it may have its own data directory */
export async function createKilledMirror(serviceUrl: string, directory: string): Promise<KilledMirror> {
  const [commands, database, port] = await Promise.all([builtCommands(), freshDatabase(), freePort()]);
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(directory, 'mirror');
  const args = ['--of', serviceUrl, '--allow-private', '--port', String(port)];
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, RATE_LIMIT: 'off' };
  const processes: MirrorProcess[] = [];
  const ended: string[] = [];

  async function kill(): Promise<void> {
    const running = processes.at(-1);
    if (!running || running.child.signalCode === 'SIGKILL') return;
    const { child, text } = running;
    if (child.exitCode !== null || child.signalCode !== null) {
      ended.push(`The mirror ended by itself: ${text()}`);
      return;
    }
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  return {
    async start() {
      const started = spawnMirror(commands.path('mirror'), args, env);
      processes.push(started);
      const deadline = Date.now() + START_MS;
      while (!started.text().includes('The mirror serves on')) {
        if (started.child.exitCode !== null || Date.now() > deadline) {
          throw new Error(`The mirror did not start: ${started.text()}`);
        }
        await sleep(20);
      }
    },
    kill,
    async verifiedTo() {
      const response = await fetch(`${url}/health`).catch(() => null);
      await response?.arrayBuffer();
      return Number(response?.headers.get(VERIFIED_HEADER) ?? 0);
    },
    async hasReached(seq) {
      const response = await fetch(`${url}/api/ledger`);
      const { head, entries_final } = (await response.json()) as { head?: { seq: number }; entries_final?: number };
      return head?.seq === seq && entries_final === seq;
    },
    text: () => processes.map(({ text }) => text()).join(''),
    async violations(serviceDatabaseUrl) {
      const found = [...ended];
      // What interrupts the service or the network is expected; this line reports any other error.
      const failures = processes.flatMap(({ text }) => text().match(/^The mirror failed.*$/gm) ?? []);
      found.push(...new Set(failures));
      const [row] = await query<{ breach: { sentence: string } | null }>(database.url, 'SELECT breach FROM mirror');
      if (row?.breach !== null) found.push(`The mirror accuses the relayer: ${row?.breach.sentence}`);
      const evidence = join(dataDir, 'evidence');
      for (const name of existsSync(evidence) ? readdirSync(evidence) : []) {
        found.push(`The mirror wrote the file of evidence ${name}.`);
      }
      const items = 'SELECT epoch, seq, id, item FROM ledger_entries ORDER BY seq';
      const [own, served] = [await query<Entry>(database.url, items), await query<Entry>(serviceDatabaseUrl, items)];
      if (own.length !== served.length) found.push(`The mirror has ${own.length} of ${served.length} entries.`);
      for (const [index, { epoch, seq, id, item }] of own.entries()) {
        const original = served[index];
        const isSame = original?.seq === seq && original.epoch === epoch && original.id === id;
        if (!isSame || !original.item.equals(item)) found.push(`The mirror has another entry ${seq} than the service.`);
      }
      return found;
    },
    async remove() {
      await kill();
      await database.drop();
      commands.remove();
    },
  };
}

interface Entry {
  readonly epoch: number;
  readonly seq: number;
  readonly id: string;
  readonly item: Buffer;
}
