import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fromBase64, toBase64 } from '../../protocol/signing/encoding.ts';
import { HASH_BYTES } from '../../protocol/transparency/merkle.ts';
import type { TreeHead } from '../../protocol/transparency/witness.ts';
import { WitnessError } from './witness-error.ts';

/** What a witness cosigned last for each log. Only one process has it open. */
export interface WitnessState {
  last(origin: string): TreeHead | null;
  /** Returns once the head survives a crash. @throws {Error} if it may not; nothing may be signed then */
  store(origin: string, head: TreeHead): Promise<void>;
  close(): Promise<void>;
}

const content = z.strictObject({
  version: z.literal(1),
  logs: z.record(
    z.string(),
    z.strictObject({
      size: z.int().min(0),
      root: z.string().refine((text) => fromBase64(text)?.length === HASH_BYTES),
    }),
  ),
});
type Content = z.infer<typeof content>;

/**
 * Opens the state in a directory, and creates it in a new one.
 * @param hasKey whether the key of the witness exists: it must never sign without the state that it signed with before
 * @throws {WitnessError} if another process has it open, or it is missing or damaged
 */
export async function openState(directory: string, hasKey: boolean): Promise<WitnessState> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'state.json');
  const lock = await lockFile(join(directory, 'state.lock'));
  try {
    if (!existsSync(file)) {
      if (hasKey) {
        throw new WitnessError(
          `${file} is missing, but the witness has a key: without its state it could cosign a fork. Restore the file, or remove the key to begin as another witness.`,
        );
      }
      await write(directory, { version: 1, logs: {} });
    }
    const heads = headsOf(file, await readFile(file, 'utf8'));
    return stateOf(directory, heads, lock);
  } catch (error) {
    await lock.close();
    throw error;
  }
}

function stateOf(directory: string, heads: Map<string, TreeHead>, lock: FileHandle): WitnessState {
  let writing: Promise<void> = Promise.resolve();

  async function writeHead(origin: string, head: TreeHead): Promise<void> {
    const next = new Map(heads).set(origin, head);
    const logs = Object.fromEntries(
      [...next].map(([name, { size, root }]) => [name, { size, root: toBase64(root) }] as const),
    );
    await write(directory, { version: 1, logs });
    heads.set(origin, head);
  }
  return {
    last: (origin) => heads.get(origin) ?? null,
    store(origin, head) {
      const written = writing.then(() => writeHead(origin, head));
      writing = written.catch(() => undefined);
      return written;
    },
    async close() {
      await writing;
      await lock.close();
    },
  };
}

function headsOf(file: string, text: string): Map<string, TreeHead> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const parsed = content.safeParse(json);
  if (!parsed.success)
    throw new WitnessError(`${file} is damaged. Restore it: an empty one could lead to a cosigned fork.`);
  return new Map(
    Object.entries(parsed.data.logs).map(([origin, { size, root }]) => [
      origin,
      { size, root: fromBase64(root) ?? new Uint8Array() },
    ]),
  );
}

/** Replaces the file atomically; returns once content and name are on the disk. */
async function write(directory: string, state: Content): Promise<void> {
  const draft = join(directory, 'state.json.new');
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(state, null, 1)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(directory, 'state.json'));
  // Windows has no equivalent.
  if (process.platform === 'win32') return;
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Locks a file for the life of this process. The kernel releases the lock when the process ends, however it ends. */
async function lockFile(path: string): Promise<FileHandle> {
  const { tryLock } = await import('fs-native-extensions').catch(() => {
    throw new WitnessError(
      `The package fs-native-extensions has no file locks for ${process.platform} ${process.arch}.`,
    );
  });
  const handle = await open(path, 'a', 0o600);
  if (tryLock(handle.fd)) return handle;
  await handle.close();
  throw new WitnessError(`Another process uses ${path.replace(/state\.lock$/, 'state.json')}; stop it first.`);
}
