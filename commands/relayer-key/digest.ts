import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { keyDigest } from '../../protocol/ledger/relayer-keys.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { newKeyText, readKeyPair, writeSecret } from '../../server/platform/data-folder/key-files.ts';

const CHECK_DIGITS = 8;

/** The digest of a public key in the form that operators copy: with check digits, because a wrong commitment stands for ever. */
export const digestText = (digest: string): string => `${digest}-${checkOf(digest)}`;

const checkOf = (digest: string): string =>
  createHash('sha256').update(`perpetua relayer key ${digest}`).digest('hex').slice(0, CHECK_DIGITS);

/** @throws {CommandError} for anything but a digest with its check digits */
export function readDigest(text: string): string {
  const [digest = '', check] = text.trim().toLowerCase().split('-');
  if (/^[0-9a-f]{64}$/.test(digest) && check === checkOf(digest)) return digest;
  throw new CommandError(
    'The digest is wrong: give the 64 hex characters, the hyphen and the 8 check digits that new-key printed.',
  );
}

/** Creates a key file, and returns the digest of the public key. @throws {CommandError} if the file exists */
export function createKeyFile(path: string): string {
  if (existsSync(path)) throw new CommandError(`${path} exists. Give the name of a new file; nothing was changed.`);
  writeSecret(path, newKeyText());
  return digestOfFile(path);
}

/** @throws {CommandError | ConfigError} if there is no key in the file */
export function digestOfFile(path: string): string {
  const pair = readKeyPair(path);
  if (!pair) throw new CommandError(`There is no file ${path}.`);
  return digestText(keyDigest(pair.publicKey.toString('hex')));
}
