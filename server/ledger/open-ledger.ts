import type { Pool } from 'pg';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { keyDigest, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import { InvalidSuccession } from '../../protocol/ledger/succession.ts';
import { type Config, ConfigError } from '../config.ts';
import { type KeyPair, loadRelayerKey, loadRelayerKeys } from '../platform/data-folder/key-files.ts';
import { beginLedger, type Head, hasLedger, readHead } from './head.ts';
import { ledgerOfKey, readRecordedHead, recordLedgerOfKey } from './head-record.ts';
import { readSuccession } from './key-entries.ts';

type Settings = Pick<Config, 'DATA_DIR' | 'RELAYER_KEY_FILE'>;

export interface OpenLedger {
  readonly head: Head;
  /** The pair of the head's key. */
  readonly relayer: KeyPair;
  readonly succession: Succession;
}

/**
 * The ledger in a database, begun with the relayer's key if there is none.
 * @throws {ConfigError} if the database lost the ledger, or the key files do not have its current key
 */
export async function openLedger(pool: Pool, config: Settings): Promise<OpenLedger> {
  const own = ledgerIdOf(loadRelayerKey(config).publicKey.toString('hex'));
  const recorded = await readRecordedHead(config.DATA_DIR, await ledgerOfKey(config.DATA_DIR, own));
  if (recorded && !(await hasLedger(pool))) {
    throw new ConfigError(
      `The database is empty, but a service with this DATA_DIR accepted operations up to entry ${recorded.seq} of epoch ${recorded.epoch}. Make DATABASE_URL name the database that has them, or restore a backup (docs/backups.md). Only if neither is left, run npm run restore, which cannot bring back health records.`,
    );
  }
  await beginLedger(pool, own, loadRelayerKey(config).publicKey.toString('hex'));
  const found = await findRelayerKey(pool, config);
  // Later, an empty database must not be taken for that of a new ledger.
  if (found.head.ledgerId !== own) await recordLedgerOfKey(config.DATA_DIR, own, found.head.ledgerId);
  return found;
}

/**
 * The pair of key files that signs the ledger in a database now.
 * @throws {ConfigError} if no file has the current key
 */
export async function findRelayerKey(pool: Pick<Pool, 'query'>, config: Settings): Promise<OpenLedger> {
  const head = await readHead(pool);
  const pairs = loadRelayerKeys(config);
  const succession = await readSuccession(pool, head).catch((error: unknown) => {
    if (error instanceof InvalidSuccession) throw new ConfigError(`${FOREIGN} ${error.message}`);
    throw error;
  });
  const relayer = pairs.find(({ publicKey }) => publicKey.toString('hex') === head.relayerPublicKey);
  if (relayer) return { head, relayer, succession };
  throw new ConfigError(keyProblem(pairs, succession));
}

const FOREIGN = 'The relayer key does not belong to the ledger in this database; nothing was changed.';

/** Why none of these keys signs the ledger now. */
function keyProblem(pairs: readonly KeyPair[], { keys, nextKeyDigest }: Succession): string {
  const own = new Set(pairs.map(({ publicKey }) => publicKey.toString('hex')));
  if (nextKeyDigest !== null && [...own].some((key) => keyDigest(key) === nextKeyDigest)) {
    return `The ledger in this database ends before the rotation to the given relayer key. If there was one, the database has lost operations: make DATABASE_URL name the database that has them, or run npm run restore -- --keep-private on this one. If there was none, give the current key, ${keys.at(-1)?.publicKey}.`;
  }
  const replaced = keys.findLastIndex(({ publicKey }) => own.has(publicKey));
  const next = keys[replaced + 1];
  if (replaced < 0 || !next) return FOREIGN;
  return `The relayer key was replaced in entry ${next.fromSeq - 1}: give the current key, ${keys.at(-1)?.publicKey}; nothing was changed.`;
}
