import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/perpetua');

const SOURCES = {
  verify: 'commands/verify.ts',
  restore: 'commands/restore.ts',
  'rotate-vault-key': 'commands/rotate-vault-key.ts',
  'rotate-relayer-key': 'commands/rotate-relayer-key.ts',
  'forget-key': 'commands/forget-key.ts',
  traces: 'commands/traces.ts',
  seed: 'commands/seed.ts',
  backup: 'commands/backup.ts',
  mirror: 'commands/mirror.ts',
  doctor: 'commands/doctor.ts',
  'test-verdict': 'commands/test-verdict.ts',
  'check.worker': 'auditor/audit/check.worker.ts',
  'signatures.worker': 'server/platform/crypto/signatures.worker.ts',
  'test-renew-beo-thread': 'server/write/test-renew-beo-thread.ts',
};

async function bundle(directory: string, names: readonly (keyof typeof SOURCES)[]): Promise<void> {
  await build({
    cwd: ROOT,
    input: Object.fromEntries(names.map((name) => [name, SOURCES[name]])),
    platform: 'node',
    // A thread loads one file faster than the many of zod. Native packages cannot be bundled.
    external: /^(?!zod|@noble)[^./#]/,
    tsconfig: false,
    output: { dir: directory, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  });
}

export type WorkerName = 'check.worker' | 'signatures.worker' | 'test-renew-beo-thread';

const workers = new Map<WorkerName, Promise<URL>>();

/** Builds a worker for tests: worker threads cannot load TypeScript on every supported Node. */
export function builtWorker(name: WorkerName): Promise<URL> {
  const worker = workers.get(name) ?? buildWorker(name);
  workers.set(name, worker);
  return worker;
}

async function buildWorker(name: WorkerName): Promise<URL> {
  const draft = join(CACHE, `worker-${process.pid}-${name}`);
  await bundle(draft, [name]);
  const file = join(CACHE, `${name}.js`);
  renameSync(join(draft, `${name}.js`), file);
  rmSync(draft, { recursive: true, force: true });
  return pathToFileURL(file);
}

export type CommandName = Exclude<keyof typeof SOURCES, WorkerName>;

const COMMANDS: readonly CommandName[] = [
  'verify',
  'restore',
  'rotate-vault-key',
  'rotate-relayer-key',
  'forget-key',
  'traces',
  'seed',
  'backup',
  'mirror',
  'doctor',
];

/** Builds commands as for an operator; `remove` deletes them. */
export async function builtCommands(
  names: readonly CommandName[] = COMMANDS,
): Promise<{ path(name: CommandName): string; remove(): void }> {
  const directory = join(CACHE, `commands-${process.pid}`);
  mkdirSync(CACHE, { recursive: true });
  await bundle(directory, [...names, 'check.worker']);
  return {
    path: (name) => join(directory, `${name}.js`),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
