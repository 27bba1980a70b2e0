import type { ClientBase } from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import {
  existingVaultKey,
  loadNextVaultKey,
  promoteNextKey,
  readKeyFile,
  vaultKeyFiles,
} from '../../server/platform/data-folder/key-files.ts';
import { withStoppedDatabase } from '../stopped-service/stopped-database.ts';
import { rewrapKeys, rewrapServiceKeys } from './rewrap-keys.ts';

/**
 * `npm run rotate-vault-key`: wraps every data key with the new vault key, then replaces the old key.
 * @throws {CommandError | ConfigError} if this fails; `rewrapKeys` describes the state then.
 */
export async function rotateVaultKey(parts: CommandParts): Promise<void> {
  const config = readConfig(parts.env);
  // Reports a missing key before starting a database.
  existingVaultKey(config);
  const advice = 'Completed batches are kept; run this again.';
  await withStoppedDatabase(config, parts, advice, (client) => rotate(config, client, parts));
}

async function rotate(config: Config, client: ClientBase, parts: CommandParts): Promise<void> {
  // Read under the lock: a rotation that has just ended may have replaced the key.
  const current = existingVaultKey(config);
  const given = parts.env.NEW_VAULT_KEY || undefined;
  const next = wasReplaced(config, current, given) ? current : nextKey(config, current, given);
  await rewrapServiceKeys(client, { from: current, to: next });
  const { total, changed } = await rewrapKeys(client, { from: current, to: next }, parts.progress.at);
  parts.progress.end();
  parts.print(`All ${total} data keys are wrapped with the new vault key, ${changed} of them by this run.`);
  for (const line of finish(config, current.equals(next), given)) parts.print(line);
}

/** Whether an earlier run or the operator has already replaced the key. */
function wasReplaced(config: Config, current: Buffer, given: string | undefined): boolean {
  const files = vaultKeyFiles(config);
  if (given !== undefined) return given.toLowerCase() === current.toString('hex');
  const next = readKeyFile(files.next);
  if (next) return next.equals(current);
  return !config.VAULT_KEY && readKeyFile(files.old) !== null;
}

function nextKey(config: Config, current: Buffer, given: string | undefined): Buffer {
  const { old } = vaultKeyFiles(config);
  const kept = config.VAULT_KEY ? null : readKeyFile(old);
  if (kept && !kept.equals(current)) {
    throw new CommandError(
      `${old} holds the key before the last rotation. Remove it, or move it to the backups that need it, and run this again.`,
    );
  }
  return loadNextVaultKey(config, given);
}

/** Stores the new key where the service reads it, and returns what is left to do. */
function finish(config: Config, replaced: boolean, given: string | undefined): string[] {
  const files = vaultKeyFiles(config);
  if (config.VAULT_KEY && !replaced) {
    const where = given === undefined ? `the content of ${files.next}` : 'NEW_VAULT_KEY';
    return [`Set VAULT_KEY to ${where} before the service starts.`];
  }
  if (!replaced) promoteNextKey(files);
  const lines = [config.VAULT_KEY ? 'VAULT_KEY is the new key.' : `The new key is in ${files.current}.`];
  if (readKeyFile(files.next)) lines.push(`The same key is in ${files.next}: remove it.`);
  if (!config.VAULT_KEY && readKeyFile(files.old)) {
    lines.push(
      `The old key is in ${files.old}, for backups of the database that were made until now.`,
      'Remove it when these are deleted, and before the next rotation.',
    );
  }
  return lines;
}
