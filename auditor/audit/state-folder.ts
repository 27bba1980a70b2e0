import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import type { AuditPoint } from './audit-point.ts';
import { stateFileIn } from './audit-state-file.ts';
import type { Rules } from './checked.ts';

/** What a stored point depends on. It is of no use with other ones. */
export interface Binding {
  readonly rules: Rules;
  readonly wallet: string;
  readonly maxDelayMs: number;
}

/** A point with the file of its state, as `point.json` names it. */
interface Stored {
  readonly format: string;
  readonly binding: Binding;
  /** The name of the file of the state, and its SHA-256 in hex. */
  readonly file: string;
  readonly sha256: string;
  readonly verifiedAt: string;
  readonly point: AuditPoint;
}

const FORMAT = 'perpetua-verify-state-2';
const POINT = 'point.json';
const STATE_FILE = /^state-[0-9a-f-]{36}\.sqlite$/;

export type LoadedPoint = Pick<Stored, 'verifiedAt' | 'point'>;

/**
 * Copies the state of a stored point into the folder of a state file.
 * @returns null if nothing is stored, or another version of the command stored it
 * @throws {CommandError} if the point is of another ledger, altered or incomplete
 */
export async function loadPoint(folder: string, binding: Binding, into: string): Promise<LoadedPoint | null> {
  const text = await readFile(join(folder, POINT), 'utf8').catch(nullIfMissing);
  if (text === null) return null;
  const stored = parse(text);
  if (stored && stored.format !== FORMAT) return null;
  if (!stored || !STATE_FILE.test(stored.file)) throw damaged(folder);
  if (canonical(stored.binding) !== canonical(binding)) {
    throw new CommandError(
      `The state in ${folder} is of another ledger or was made with other options; use another folder for --state.`,
    );
  }
  const path = stateFileIn(into);
  const copied = await copyFile(join(folder, stored.file), path, constants.COPYFILE_FICLONE).then(
    () => true,
    nullIfMissing,
  );
  if (copied === null || (await sha256(path)) !== stored.sha256) throw damaged(folder);
  return stored;
}

/** Stores a point so that the earlier one stays valid until the new one is complete. */
export async function storePoint(
  folder: string,
  binding: Binding,
  point: AuditPoint,
  stateFile: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = `state-${randomUUID()}.sqlite`;
  const path = join(folder, file);
  await copyFile(stateFile, path, constants.COPYFILE_FICLONE);
  await sync(path);
  const verifiedAt = new Date().toISOString();
  const stored: Stored = { format: FORMAT, binding, file, sha256: await sha256(path), verifiedAt, point };
  const text = canonical(stored);
  const next = join(folder, `${POINT}.next`);
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(`${digest(text)}\n${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, join(folder, POINT));
  for (const other of await readdir(folder)) {
    if (STATE_FILE.test(other) && other !== file) await rm(join(folder, other));
  }
}

const canonical = (value: Stored | Binding): string => canonicalJson(value as unknown as Json);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Null if the text is not what `storePoint` wrote. */
function parse(text: string): Stored | null {
  const [sum, json = ''] = text.split('\n');
  if (digest(json) !== sum) return null;
  return JSON.parse(json) as Stored;
}

const damaged = (folder: string): CommandError =>
  new CommandError(
    `The state in ${folder} is altered or incomplete; delete the folder to verify from the first entry.`,
  );

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
