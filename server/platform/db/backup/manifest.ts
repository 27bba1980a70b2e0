import { join } from 'node:path';
import { z } from 'zod';
import { baseNamed, boundNames, type Store } from './layout.ts';
import { BackupError, openSealed, sealFile } from './sealed-file.ts';

const relativePath = z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/);

const file = z.object({ path: relativePath, bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const shape = z.object({
  version: z.literal(1),
  id: z.string().refine((id) => baseNamed(id) !== null),
  database: z.string(),
  /** The major version of PostgreSQL. */
  postgres: z.string(),
  startedAt: z.iso.datetime(),
  /** From this time on, the backup is consistent. */
  stoppedAt: z.iso.datetime(),
  startSegment: z.string(),
  stopSegment: z.string(),
  /** The last entry of the ledger before the backup began; null if there was no ledger. */
  ledger: z.object({ epoch: z.int(), seq: z.int() }).nullable(),
  /** The superuser's password, of which the database holds a hash. */
  password: z.string(),
  directories: z.array(relativePath),
  /** In the order of their content in the data file. */
  files: z.array(file),
});

export type Manifest = z.infer<typeof shape>;
export type ManifestFile = z.infer<typeof file>;

/** Writes the manifest of a base backup whose folder is still at `folder`. */
export async function writeManifest(folder: string, store: Store, key: Buffer, manifest: Manifest): Promise<void> {
  const content = Buffer.from(JSON.stringify(shape.parse(manifest)));
  const name = boundNames.manifest(store, manifest.id);
  await sealFile(join(folder, 'manifest'), { key, name, at: Date.parse(manifest.stoppedAt) }, piecesOf(content));
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

/** @throws {BackupError} if it is missing, altered, or encrypted with another key */
export async function readManifest(store: Store, id: string, key: Buffer): Promise<Manifest> {
  const path = join(store.base, id, 'manifest');
  const pieces: Buffer[] = [];
  for await (const piece of openSealed(path, key, boundNames.manifest(store, id))) pieces.push(piece);
  const parsed = shape.safeParse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  if (!parsed.success) throw new BackupError(`${path} is of a later version of this program.`);
  return parsed.data;
}
