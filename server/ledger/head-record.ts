import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import { ConfigError } from '../config.ts';
import { giveToOwnerOf } from '../platform/data-folder/file-owner.ts';

/** An entry of the ledger: its place and its id. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
  readonly id: TransactionId;
}

/** A restore may begin an epoch at a lower seq than the lost one reached, so the epoch counts first. */
export const isAfter = (one: Place, other: Place): boolean =>
  one.epoch === other.epoch ? one.seq > other.seq : one.epoch > other.epoch;

const NAME = /^(\d{1,10})-(\d{1,16})-([\w-]{43})$/;

/** In DATA_DIR. */
const FOLDER = 'ledger-head';

const folderOf = (dataDir: string, ledgerId: LedgerId): string => join(dataDir, FOLDER, ledgerId);

/** The latest entry that a process of this data directory recorded, or null. @throws {ConfigError} if it cannot be read */
export async function readRecordedHead(dataDir: string, ledgerId: LedgerId): Promise<Place | null> {
  let latest: Place | null = null;
  for (const place of await placesIn(folderOf(dataDir, ledgerId))) {
    if (!latest || isAfter(place, latest)) latest = place;
  }
  return latest;
}

/**
 * Records the latest entry. It is the name of an empty file, and only files of earlier entries are removed, so the record
 * never goes back, whichever processes write to the directory.
 */
export async function recordHead(dataDir: string, ledgerId: LedgerId, place: Place): Promise<void> {
  const folder = await createFile(dataDir, ledgerId, nameOf(place));
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
  for (const earlier of await placesIn(folder)) {
    if (isAfter(place, earlier)) await rm(join(folder, nameOf(earlier)), { force: true });
  }
}

/** Creates an empty file. Returns its folder. */
async function createFile(dataDir: string, ledgerId: LedgerId, name: string): Promise<string> {
  const folder = folderOf(dataDir, ledgerId);
  const file = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of [join(dataDir, FOLDER), folder]) {
    if ((await lstat(path)).isSymbolicLink()) throw new ConfigError(`${path} is a link; it must be a folder.`);
  }
  await (await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)).close();
  giveToOwnerOf(dataDir, join(dataDir, FOLDER), folder, file);
  return folder;
}

const nameOf = ({ epoch, seq, id }: Place): string => `${epoch}-${seq}-${id}`;

const LEDGER = /^ledger-([0-9a-f]{64})$/;

/** The ledger that a key signs, by the hex SHA-256 of the public key: its own, unless another one was recorded. */
export async function ledgerOfKey(dataDir: string, keyDigest: LedgerId): Promise<LedgerId> {
  const names = await namesIn(folderOf(dataDir, keyDigest));
  return (names.map((name) => LEDGER.exec(name)?.[1]).find((id) => id !== undefined) ?? keyDigest) as LedgerId;
}

/** Records that a key signs a ledger that began with another one. */
export async function recordLedgerOfKey(dataDir: string, keyDigest: LedgerId, ledgerId: LedgerId): Promise<void> {
  await createFile(dataDir, keyDigest, `ledger-${ledgerId}`);
}

async function placesIn(folder: string): Promise<Place[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const [, epoch, seq, id] = NAME.exec(name) ?? [];
    return id === undefined ? [] : [{ epoch: Number(epoch), seq: Number(seq), id: id as TransactionId }];
  });
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new ConfigError(
      `${folder} cannot be read (${error.code}): give DATA_DIR and everything in it to the user of the service.`,
    );
  });
