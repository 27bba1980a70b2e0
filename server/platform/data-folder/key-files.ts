import { createHash, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from '../../config.ts';
import { privateKeyObject } from '../crypto/node-ed25519.ts';
import { giveToOwnerOf } from './file-owner.ts';

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

/**
 * The key that signs the ledger, from a 32-byte seed in hex: RELAYER_KEY_FILE, or created once under DATA_DIR.
 * @throws {ConfigError} if it is missing and must not be created: see `mayCreateMainKeys`
 */
export function loadRelayerKey(config: KeySettings): KeyPair {
  const seed = config.RELAYER_KEY_FILE
    ? hexOf('RELAYER_KEY_FILE', config.RELAYER_KEY_FILE, read(config.RELAYER_KEY_FILE, 'RELAYER_KEY_FILE'))
    : ownKey(relayerKeyFiles(config).current, 'RELAYER_KEY_FILE', config);
  return keyPairOf(seed);
}

type KeySettings = Pick<Config, 'RELAYER_KEY_FILE' | 'VAULT_KEY' | 'DATA_DIR' | 'DATABASE_URL'>;

/** The settings of the keys without which the data of a service are lost. */
export type MainKey = 'RELAYER_KEY_FILE' | 'VAULT_KEY';

function ownKey(path: string, setting: MainKey, config: KeySettings): Buffer {
  if (mayCreateMainKeys(config)) return readOrCreateKey(path);
  const found = readKeyFile(path);
  if (found) return found;
  const { problem, remedy } = missingKey(setting, path);
  throw new ConfigError(`${problem} ${remedy}`);
}

/**
 * Whether a missing main key is created under DATA_DIR. If DATABASE_URL and one main key are set, keys are kept elsewhere: the other
 * one could be lost with this DATA_DIR, and other machines would not have it.
 */
export const mayCreateMainKeys = ({
  DATABASE_URL,
  RELAYER_KEY_FILE,
  VAULT_KEY,
}: Omit<KeySettings, 'DATA_DIR'>): boolean =>
  !DATABASE_URL || (RELAYER_KEY_FILE === undefined && VAULT_KEY === undefined);

/** The report of a key that is needed and missing. */
export const missingKey = (setting: MainKey, path: string) => ({
  problem: `There is no ${setting === 'VAULT_KEY' ? 'vault' : 'relayer'} key: ${setting} is not set, and ${path} does not exist.`,
  remedy:
    'The service does not create it if DATABASE_URL and the other main key are set. Give it the key of this database. For a new one run: ' +
    `(umask 077; openssl rand -hex 32 > ${path})`,
});

/** Files of the relayer's keys: the current key, the next one during a rotation, and the previous one. */
export const relayerKeyFiles = ({ RELAYER_KEY_FILE, DATA_DIR }: KeySettings): KeyFiles =>
  keyFiles(RELAYER_KEY_FILE ?? join(DATA_DIR, 'relayer.key'));

/** The current key and, during a rotation, the next one. The ledger decides which of them signs. */
export function loadRelayerKeys(config: KeySettings): readonly KeyPair[] {
  const next = readKeyPair(relayerKeyFiles(config).next);
  return [loadRelayerKey(config), ...(next ? [next] : [])];
}

/** Null if the file does not exist. */
export function readKeyPair(path: string): KeyPair | null {
  const seed = readKeyFile(path);
  return seed && keyPairOf(seed);
}

/** A new key as its seed in hex, the content of a key file. */
export const newKeyText = (): string => randomBytes(32).toString('hex');

interface KeyFiles {
  readonly current: string;
  readonly next: string;
  readonly old: string;
}

const keyFiles = (current: string): KeyFiles => ({ current, next: `${current}.next`, old: `${current}.old` });

/**
 * The key that signs the checkpoints of the transparency log: CHECKPOINT_KEY_FILE, or created once under DATA_DIR. Null if
 * RELAYER_KEY_FILE says that keys are kept elsewhere and there is neither: each process would create its own.
 * @param create false to return null instead of creating one
 */
export function loadCheckpointKey(
  config: Pick<Config, 'CHECKPOINT_KEY_FILE' | 'RELAYER_KEY_FILE' | 'DATA_DIR'>,
  { create = true } = {},
): KeyPair | null {
  const { CHECKPOINT_KEY_FILE: given } = config;
  const own = join(config.DATA_DIR, 'checkpoint.key');
  if (given) return keyPairOf(hexOf('CHECKPOINT_KEY_FILE', given, read(given, 'CHECKPOINT_KEY_FILE')));
  const found = readKeyFile(own);
  if (!found && (config.RELAYER_KEY_FILE || !create)) return null;
  return keyPairOf(found ?? readOrCreateKey(own));
}

function keyPairOf(seed: Buffer): KeyPair {
  const privateKey = privateKeyObject(seed);
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x ?? '', 'base64url') };
}

/**
 * The seeds of the keys that sign webhooks, 32 bytes each: the current one, then the previous one while both sign
 * (protocol §9). They are the lines of WEBHOOK_KEY_FILE in hex, or of webhook.key, created once under DATA_DIR. Null if
 * RELAYER_KEY_FILE says that keys are kept elsewhere and there is neither: each process would create its own.
 */
export function loadWebhookSeeds(
  config: Pick<Config, 'WEBHOOK_KEY_FILE' | 'RELAYER_KEY_FILE' | 'DATA_DIR'>,
): readonly Buffer[] | null {
  const own = join(config.DATA_DIR, 'webhook.key');
  if (config.WEBHOOK_KEY_FILE)
    return seedsIn(config.WEBHOOK_KEY_FILE, read(config.WEBHOOK_KEY_FILE, 'WEBHOOK_KEY_FILE'));
  const found = readFileIfExists(own);
  if (found === null && config.RELAYER_KEY_FILE) return null;
  return seedsIn(own, found ?? writeSecret(own, randomBytes(32).toString('hex')));
}

function seedsIn(path: string, text: string): readonly Buffer[] {
  const lines = text.trim().split(/\s+/);
  if (lines.length > 2 || new Set(lines).size < lines.length || !lines.every((line) => KEY.test(line))) {
    throw new ConfigError(
      `WEBHOOK_KEY_FILE is wrong: ${path} must hold 64 hex characters (32 bytes), and perhaps those of the previous key in a second line.`,
    );
  }
  return lines.map((line) => Buffer.from(line, 'hex'));
}

/**
 * The key that encrypts backups, 32 bytes: BACKUP_KEY_FILE, or created once under DATA_DIR.
 * @param create false for a restore, to which a new key is no use
 */
export function loadBackupKey(config: Pick<Config, 'BACKUP_KEY_FILE' | 'DATA_DIR'>, { create }: { create: boolean }) {
  const { BACKUP_KEY_FILE: given } = config;
  if (given) return hexOf('BACKUP_KEY_FILE', given, read(given, 'BACKUP_KEY_FILE'));
  const own = join(config.DATA_DIR, 'backup.key');
  const key = create ? readOrCreateKey(own) : readKeyFile(own);
  if (key) return key;
  throw new ConfigError(
    `There is no backup key: BACKUP_KEY_FILE is not set, and ${own} does not exist. Copy the key that the backup was made with to that place.`,
  );
}

/** 32 bytes: VAULT_KEY, or created once under DATA_DIR. @throws {ConfigError} as loadRelayerKey does */
export const loadVaultKey = (config: KeySettings): Buffer =>
  config.VAULT_KEY ? Buffer.from(config.VAULT_KEY, 'hex') : ownKey(vaultKeyFiles(config).current, 'VAULT_KEY', config);

/** Files of vault keys under DATA_DIR: the current key, the next one during a rotation, and the previous one. */
export const vaultKeyFiles = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): KeyFiles =>
  keyFiles(join(DATA_DIR, 'vault.key'));

/** The current vault key, for commands, which never create one. @throws {ConfigError} if there is none. */
export function existingVaultKey(config: KeySettings): Buffer {
  const { current } = vaultKeyFiles(config);
  const key = config.VAULT_KEY ? Buffer.from(config.VAULT_KEY, 'hex') : readKeyFile(current);
  if (key) return key;
  throw new ConfigError(
    `There is no vault key: VAULT_KEY is not set, and ${current} does not exist. Set DATA_DIR to the data directory of the service.`,
  );
}

/**
 * The next vault key: `given`, or created once under DATA_DIR. If the current key is in a file, so is the next one,
 * written before anything depends on it.
 * @param given NEW_VAULT_KEY
 * @throws {ConfigError} if a rotation to another key was started, or VAULT_KEY is set without NEW_VAULT_KEY: the DATA_DIR of a
 *   command in a container may be deleted with it
 */
export function loadNextVaultKey(config: KeySettings, given: string | undefined): Buffer {
  const { next } = vaultKeyFiles(config);
  if (given === undefined) {
    // An earlier version created it with VAULT_KEY set, and may have used it.
    if (config.VAULT_KEY && readKeyFile(next) === null) throw new ConfigError(NO_NEW_VAULT_KEY);
    const created = readOrCreateKey(next);
    syncDirectory(dirname(next));
    return created;
  }
  if (!KEY.test(given)) throw new ConfigError('NEW_VAULT_KEY is wrong: it must be 64 hex characters (32 bytes).');
  const key = Buffer.from(given, 'hex');
  const kept =
    readKeyFile(next) ?? (config.VAULT_KEY ? null : hexOf(next, next, writeSecret(next, key.toString('hex'))));
  if (!kept || kept.equals(key)) return key;
  throw new ConfigError(
    `${next} holds another key than NEW_VAULT_KEY: a rotation to that key was started. Finish it without NEW_VAULT_KEY, or remove the file.`,
  );
}

const NO_NEW_VAULT_KEY =
  'VAULT_KEY is set, but NEW_VAULT_KEY is not: no key is created, because its only copy would be in DATA_DIR. Create one with ' +
  '"openssl rand -hex 32", keep it where VAULT_KEY is kept, and set NEW_VAULT_KEY to it. No data key was changed.';

/** Renames the next key to the current one, and keeps the previous key as `.old`. A crash at any point leaves a current key. */
export function promoteNextKey({ current, next, old }: KeyFiles): void {
  // The link exists already if a crash interrupted this function.
  if (readKeyFile(old) === null) linkSync(current, old);
  syncDirectory(dirname(current));
  renameSync(next, current);
  syncDirectory(dirname(current));
}

export type InstituteDigests = readonly [Buffer, Buffer, Buffer];

export interface InstituteKeys {
  /** SHA-256 of the keys of approvers 1, 2 and 3; null if none is configured, and then no key is valid. */
  readonly digests: InstituteDigests | null;
  /** The keys if this call created them, to be shown once; else null. */
  readonly created: readonly string[] | null;
}

/** Under DATA_DIR. */
export const INSTITUTE_KEYS = 'institute-keys.json';

const threeKeys = z
  .array(z.string().min(32))
  .length(3)
  .refine((keys) => new Set(keys).size === keys.length);

/**
 * The three institute keys (protocol §4): INSTITUTE_KEY_DIGESTS, or keys created once under DATA_DIR with the embedded
 * devnet and database (32 bytes each, base64url). With DATABASE_URL none are created: each process would have its own.
 * @throws {ConfigError} if the file of keys exists on a service that uses another network.
 */
export function loadInstituteKeys(
  config: Pick<Config, 'INSTITUTE_KEY_DIGESTS' | 'DATA_DIR' | 'DATABASE_URL' | 'ARWEAVE_GATEWAY_URL'>,
): InstituteKeys {
  const path = join(config.DATA_DIR, INSTITUTE_KEYS);
  if (config.ARWEAVE_GATEWAY_URL && existsSync(path)) {
    throw new ConfigError(
      `${path} holds the institute's keys, which only the embedded devnet may keep: give them to the three people who hold them, ` +
        'set INSTITUTE_KEY_DIGESTS to their SHA-256 digests, and remove the file.',
    );
  }
  if (config.INSTITUTE_KEY_DIGESTS) {
    return {
      digests: asTriple(config.INSTITUTE_KEY_DIGESTS.map((digest) => Buffer.from(digest, 'hex'))),
      created: null,
    };
  }
  if (config.DATABASE_URL || config.ARWEAVE_GATEWAY_URL) return { digests: null, created: null };
  const found = readFileIfExists(path);
  const fresh = JSON.stringify(Array.from({ length: 3 }, () => randomBytes(32).toString('base64url')));
  const text = found ?? writeSecret(path, fresh);
  const keys = keysIn(path, text);
  const digests = asTriple(keys.map((key) => createHash('sha256').update(key).digest()));
  return { digests, created: text === fresh ? keys : null };
}

function keysIn(path: string, text: string): string[] {
  try {
    return threeKeys.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(
      `${path} is wrong: it must hold a JSON array of three different keys of at least 32 characters each.`,
    );
  }
}

function asTriple<T>([first, second, third]: readonly T[]): readonly [T, T, T] {
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three values are needed.');
  return [first, second, third];
}

export function readOrCreateKey(path: string): Buffer {
  const found = readFileIfExists(path);
  return hexOf(path, path, found ?? writeSecret(path, randomBytes(32).toString('hex')));
}

const KEY = /^[0-9a-fA-F]{64}$/;

/** 32 bytes, or null if the file does not exist. */
export function readKeyFile(path: string): Buffer | null {
  const text = readFileIfExists(path);
  return text === null ? null : hexOf(path, path, text);
}

function hexOf(name: string, path: string, text: string): Buffer {
  if (!KEY.test(text.trim())) {
    throw new ConfigError(`${name} is wrong: ${path} must hold 64 hex characters (32 bytes).`);
  }
  return Buffer.from(text.trim(), 'hex');
}

function read(path: string, name: string): string {
  const text = readFileIfExists(path);
  if (text === null) throw new ConfigError(`${name} is wrong: there is no file ${path}.`);
  return text;
}

export function readFileIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read (${code}).`);
  }
}

/**
 * Writes a secret atomically, readable by its owner only; keeps the file if another process created it first. Returns
 * the file's content.
 */
export function writeSecret(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    giveToOwnerOf(dirname(path), draft);
    fsyncSync(file);
    linkSync(draft, path);
    syncDirectory(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

/** Makes links and renames survive a power loss. Windows has no equivalent. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
