import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { privateKeyObject } from './crypto/node-ed25519.ts';

export interface RelayerKey {
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

/** The key that signs the ledger, from a 32-byte seed in hex: RELAYER_KEY_FILE, or made once under DATA_DIR. */
export function loadRelayerKey(config: Pick<Config, 'RELAYER_KEY_FILE' | 'DATA_DIR'>): RelayerKey {
  const seed = config.RELAYER_KEY_FILE
    ? hexOf('RELAYER_KEY_FILE', config.RELAYER_KEY_FILE, read(config.RELAYER_KEY_FILE, 'RELAYER_KEY_FILE'))
    : madeOnce(join(config.DATA_DIR, 'relayer.key'));
  const privateKey = privateKeyObject(seed);
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x ?? '', 'base64url') };
}

/** 32 bytes: VAULT_KEY, or made once under DATA_DIR. */
export const loadVaultKey = (config: Pick<Config, 'VAULT_KEY' | 'DATA_DIR'>): Buffer =>
  config.VAULT_KEY ? Buffer.from(config.VAULT_KEY, 'hex') : madeOnce(join(config.DATA_DIR, 'vault.key'));

function madeOnce(path: string): Buffer {
  const found = readIfThere(path);
  return hexOf(path, path, found ?? writeSecret(path, randomBytes(32).toString('hex')));
}

function hexOf(name: string, path: string, text: string): Buffer {
  if (!/^[0-9a-fA-F]{64}$/.test(text.trim())) {
    throw new ConfigError(`${name} is wrong: ${path} must hold 64 hex characters (32 bytes).`);
  }
  return Buffer.from(text.trim(), 'hex');
}

function read(path: string, name: string): string {
  const text = readIfThere(path);
  if (text === null) throw new ConfigError(`${name} is wrong: there is no file ${path}.`);
  return text;
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read (${code}).`);
  }
}

/** Writes a secret whole, readable by its owner only, or leaves what another process wrote in the meantime. Returns what is there. */
export function writeSecret(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}
