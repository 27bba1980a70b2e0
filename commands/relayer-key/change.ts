import { sign } from 'node:crypto';
import { basename, resolve } from 'node:path';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import {
  extendSuccession,
  keyCommitment,
  keyDigest,
  keyRotation,
  possessionMessage,
  type Succession,
  SuccessionError,
} from '../../protocol/ledger/relayer-keys.ts';
import { recordLedgerOfKey } from '../../server/ledger/head-record.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import {
  type KeyPair,
  promoteNextKey,
  readKeyFile,
  readKeyPair,
  relayerKeyFiles,
  writeSecret,
} from '../../server/platform/data-folder/key-files.ts';
import { digestText } from './digest.ts';
import { type KeyLedger, openKeyLedger } from './open.ts';

/**
 * Commits the first key to the digest of its successor.
 * @throws {CommandError | ConfigError} if it cannot; nothing was changed then
 */
export async function commitKey(digest: string, parts: CommandParts): Promise<void> {
  const ledger = await openKeyLedger(parts);
  const { head, succession, isRunning } = ledger;
  if (succession.nextKeyDigest === digest) {
    parts.print(`The key ${head.relayerPublicKey} is committed to ${digestText(digest)} already.`);
    return;
  }
  const { seq } = await ledger.append(keyCommitment(head.ledgerId, digest));
  parts.print(`Entry ${seq} commits the key ${head.relayerPublicKey} to ${digestText(digest)}.`);
  parts.print(isRunning ? POSTED_SOON : POSTED_LATER);
}

const POSTED_SOON = 'The service posts it with its next bundle.';
const POSTED_LATER = 'It is posted once the service runs.';

export interface Rotation {
  /** The file with the new key; absent if that is in relayer.key.next. */
  readonly keyFile: string | null;
  /** The digest of the key after the new one. */
  readonly nextKeyDigest: string;
}

/**
 * Replaces the relayer's key. May be killed at any point and run again. The order keeps every state usable: the new key is stored,
 * then the entry, then the key files are renamed; between the last two a service uses the stored one.
 * @throws {CommandError | ConfigError} if it cannot
 */
export async function rotateKey({ keyFile, nextKeyDigest }: Rotation, parts: CommandParts): Promise<void> {
  const ledger = await openKeyLedger(parts);
  const { config, head, succession, isRunning } = ledger;
  const files = relayerKeyFiles(config);
  const given = keyFile === null ? readNext(ledger) : readGiven(keyFile);
  const newKey = given.publicKey.toString('hex');
  const isDone = head.relayerPublicKey === newKey;
  if (isDone) requireCommitment(succession, nextKeyDigest);
  else await rotate(ledger, given, nextKeyDigest, parts);
  await recordLedgerOfKey(config.DATA_DIR, ledgerIdOf(newKey), head.ledgerId);
  const isCurrent = readKeyPair(files.current)?.publicKey.equals(given.publicKey);
  const failure = isCurrent ? null : failureOf(() => promoteNextKey(files));
  parts.print(
    `The new key is in ${failure === null ? files.current : files.next}, and committed to ${digestText(nextKeyDigest)}.`,
  );
  if (failure !== null) {
    for (const line of renameYourself(files, failure)) parts.print(line);
  } else if (readKeyFile(files.old)) {
    parts.print(
      `The previous key is in ${files.old}. Remove it when the rotation is FINAL: until then a restore may need it.`,
    );
  }
  if (keyFile !== null && resolve(keyFile) !== resolve(files.next)) parts.print(`Remove ${keyFile}.`);
  if (isRunning) parts.print('The service signs with the new key now, unless it reads another copy of the file.');
}

/** Stores the new key, then adds the entry. */
async function rotate(ledger: KeyLedger, given: KeyPair, nextKeyDigest: string, parts: CommandParts): Promise<void> {
  const { head, succession, relayer, config } = ledger;
  const current = head.relayerPublicKey;
  const handover = { ledgerId: head.ledgerId, newKey: given.publicKey.toString('hex'), nextKeyDigest };
  const possession = sign(null, possessionMessage(handover, current), given.privateKey).toString('base64');
  const message = keyRotation(handover, possession);
  // Before the key file is written: the entry itself is checked again behind the lock.
  requireAllowed(() => extendSuccession(succession, { seq: head.seq + 1, owner: current }, message));
  const files = relayerKeyFiles(config);
  if (!readKeyPair(files.current)?.publicKey.equals(relayer.publicKey)) {
    throw new CommandError(
      `${files.next} holds the key that signs now. Finish the last rotation first: rename it to ${files.current}. Nothing was changed.`,
    );
  }
  const old = readKeyPair(files.old);
  if (old && !old.publicKey.equals(relayer.publicKey)) {
    throw new CommandError(
      `${files.old} holds the key before the last rotation. Remove it when that rotation is FINAL, and run this again. Nothing was changed.`,
    );
  }
  storeNext(files.next, given);
  const { seq } = await ledger.append(message);
  parts.print(`Entry ${seq} replaces the key ${current} by ${handover.newKey}.`);
  parts.print(ledger.isRunning ? POSTED_SOON : POSTED_LATER);
}

function requireAllowed(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof SuccessionError)) throw error;
    throw new CommandError(`${error.message} Nothing was changed.`);
  }
}

/** An interrupted run is continued only with the digest that its entry has. */
function requireCommitment({ nextKeyDigest, keys }: Succession, given: string): void {
  if (nextKeyDigest === given) return;
  throw new CommandError(
    `This key has been the current one since entry ${keys.at(-1)?.fromSeq}, and is committed to ${digestText(nextKeyDigest ?? keyDigest(keys[0].publicKey))}: run this again with that digest.`,
  );
}

function readGiven(path: string): KeyPair {
  const pair = readKeyPair(path);
  if (!pair) throw new CommandError(`There is no file ${path}. Nothing was changed.`);
  return pair;
}

/** The key in relayer.key.next, or the current one if a completed rotation is run again. */
function readNext({ config, succession, relayer }: KeyLedger): KeyPair {
  const { current, next } = relayerKeyFiles(config);
  const rotated = succession.keys.length > 1 ? readKeyPair(current) : null;
  const pair = readKeyPair(next) ?? (rotated?.publicKey.equals(relayer.publicKey) ? rotated : null);
  if (!pair) throw new CommandError(`Give the new key with --key, or put it into ${next}. Nothing was changed.`);
  return pair;
}

function storeNext(path: string, pair: KeyPair): void {
  const stored = readKeyPair(path) ?? writeNext(path, pair);
  if (stored?.publicKey.equals(pair.publicKey)) return;
  throw new CommandError(`${path} holds another key. Remove it, and run this again. Nothing was changed.`);
}

function writeNext(path: string, { privateKey }: KeyPair): KeyPair | null {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const failure = failureOf(() => writeSecret(path, Buffer.from(d, 'base64url').toString('hex')));
  if (failure === null) return readKeyPair(path);
  throw new CommandError(
    `${path} cannot be written (${failure}): put the new key there yourself, on every machine, and run this again. Nothing was changed.`,
  );
}

/** The codes of a folder that only the operator may change, such as one of mounted secrets, or that has no hard links. */
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Why a folder of keys cannot be changed here, or null. */
function failureOf(write: () => unknown): string | null {
  try {
    write();
    return null;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (NOT_WRITABLE.includes(code)) return code;
    throw error;
  }
}

function renameYourself({ current, next, old }: ReturnType<typeof relayerKeyFiles>, code: string): string[] {
  const [from, to, kept] = [basename(next), basename(current), basename(old)];
  return [
    `${current} cannot be replaced here (${code}). Where the key files are kept, on every machine: rename ${to} to ${kept}, then ${from} to ` +
      `${to}. Then restart the service.`,
    `Remove ${kept} when the rotation is FINAL: until then a restore may need it.`,
  ];
}

/** Prints the keys and the commitment, and where the current key is. */
export async function printKeys(parts: CommandParts): Promise<void> {
  const { config, succession, head, relayer } = await openKeyLedger(parts);
  const files = relayerKeyFiles(config);
  parts.print(`Ledger ${head.ledgerId}`);
  for (const { publicKey, fromSeq } of succession.keys) parts.print(`From entry ${fromSeq} on: ${publicKey}`);
  parts.print(
    succession.nextKeyDigest === null
      ? 'The key is not committed to a successor: a thief of it could commit it to a key of their own. Run commit.'
      : `The key is committed to ${digestText(succession.nextKeyDigest)}.`,
  );
  if (readKeyPair(files.current)?.publicKey.equals(relayer.publicKey)) return;
  parts.print(
    `The current key is in ${files.next}: run rotate again with the same options: it replaces ${files.current} or reports what to rename.`,
  );
}
