import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fromBase64, toBase64 } from '../../protocol/signing/encoding.ts';
import { HASH_BYTES } from '../../protocol/transparency/merkle.ts';
import type { TreeHead } from '../../protocol/transparency/witness.ts';
import { WitnessError } from './witness-error.ts';
import { writeSynced } from './write-synced.ts';

/** The last tree that a witness cosigned for a log. */
export interface CosignedHead extends TreeHead {
  /** The checkpoint with the signatures of the log; null if a version that did not store it cosigned it. */
  readonly note: string | null;
}

/** What a witness cosigned last for each log. Only one process has it open. */
export interface WitnessState {
  last(origin: string): CosignedHead | null;
  /**
   * Returns once the tree survives a crash. The note of a tree that is stored already is replaced in memory only.
   * @throws {Error} if the tree may not survive; no cosignature of it may be returned then
   */
  store(origin: string, head: CosignedHead): Promise<void>;
  close(): Promise<void>;
}

const FILE = 'state.json';

const content = z.strictObject({
  version: z.literal(2),
  logs: z
    .array(
      z.strictObject({
        origin: z.string(),
        size: z.int().min(0),
        root: z.string().refine((text) => fromBase64(text)?.length === HASH_BYTES),
        note: z.string().nullable(),
      }),
    )
    .refine((logs) => new Set(logs.map(({ origin }) => origin)).size === logs.length),
});

/**
 * Opens the state in a directory, and creates it in a new one.
 * @param hasKey whether the key of the witness exists: it must never sign without the state that it signed with before
 * @throws {WitnessError} if another process has it open, or it is missing or damaged
 */
export async function openState(directory: string, hasKey: boolean): Promise<WitnessState> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, FILE);
  const lock = await lockFile(join(directory, 'state.lock'));
  try {
    if (!existsSync(file)) {
      if (hasKey) {
        throw new WitnessError(
          `${file} is missing, but the witness has a key: without its state it could cosign a fork. Restore the file, or remove the key to begin as another witness.`,
        );
      }
      await writeSynced(directory, FILE, textOf(new Map()));
    }
    const heads = headsOf(file, await readFile(file, 'utf8'));
    return stateOf(directory, heads, lock);
  } catch (error) {
    await lock.close();
    throw error;
  }
}

function stateOf(directory: string, heads: Map<string, CosignedHead>, lock: FileHandle): WitnessState {
  let writing: Promise<void> = Promise.resolve();

  async function writeHead(origin: string, head: CosignedHead): Promise<void> {
    await writeSynced(directory, FILE, textOf(new Map(heads).set(origin, head)));
    heads.set(origin, head);
  }
  return {
    last: (origin) => heads.get(origin) ?? null,
    async store(origin, head) {
      const last = heads.get(origin);
      // Anyone can have a public checkpoint cosigned again, which must not cost a write.
      if (last?.note && last.size === head.size) {
        heads.set(origin, head);
        return;
      }
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

function textOf(heads: ReadonlyMap<string, CosignedHead>): string {
  const logs = [...heads].map(([origin, { size, root, note }]) => ({ origin, size, root: toBase64(root), note }));
  return `${JSON.stringify({ version: 2, logs } satisfies z.infer<typeof content>, null, 1)}\n`;
}

function headsOf(file: string, text: string): Map<string, CosignedHead> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const parsed = content.safeParse(upgraded(json));
  if (!parsed.success)
    throw new WitnessError(`${file} is damaged. Restore it: an empty one could lead to a cosigned fork.`);
  return new Map(
    parsed.data.logs.map(({ origin, size, root, note }) => [
      origin,
      { size, root: fromBase64(root) ?? new Uint8Array(), note },
    ]),
  );
}

/** Version 1 had an object with size and root by origin. A schema of it would lose a log that is called `__proto__`. */
function upgraded(json: unknown): unknown {
  const { version, logs } = Object(json) as { readonly version?: unknown; readonly logs?: unknown };
  if (version !== 1 || typeof logs !== 'object' || logs === null) return json;
  const listed = Object.entries(logs).map(([origin, head]) => ({ origin, note: null, ...head }));
  return { version: 2, logs: listed };
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
