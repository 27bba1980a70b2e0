import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { keyIdOf } from '../../server/features/vault/data-key.ts';
import { hasLedger, readHead } from '../../server/ledger/head.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { readKeyFile, vaultKeyFiles } from '../../server/platform/data-folder/key-files.ts';
import { withStoppedDatabase } from '../stopped-service/stopped-database.ts';

type Forget = (client: ClientBase, config: Config) => Promise<readonly string[]>;

/** What each removes from the database, so that a service may start with another key. Each returns what it did. */
const KEYS: Readonly<Record<string, Forget>> = { checkpoint, webhook, vault };

/**
 * `npm run forget-key`: lets the next start record another key instead of one that is lost.
 * @throws {CommandError | ConfigError} if it cannot; nothing was changed then
 */
export async function forgetKey(name: string, parts: CommandParts): Promise<void> {
  const forget = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  if (!forget) throw new CommandError(`Give checkpoint, webhook or vault: there is no key "${name}" to forget.`);
  const config = readConfig(parts.env);
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) {
    throw new CommandError(
      `${config.DATA_DIR} has no database: set DATABASE_URL, or DATA_DIR to the data directory of the service. Nothing was changed.`,
    );
  }
  await withStoppedDatabase(config, parts, 'Run this again.', async (client) => {
    await client.query('BEGIN');
    const lines = await forget(client, config);
    await client.query('COMMIT');
    for (const line of lines) parts.print(line);
  });
}

const NOTHING = (key: string) => [`The database has no ${key} recorded. Nothing was changed.`];

async function checkpoint(client: ClientBase): Promise<readonly string[]> {
  const { rowCount } = await client.query("DELETE FROM agreed_settings WHERE name = 'checkpoint_key'");
  if (!rowCount) return NOTHING('checkpoint key');
  return [
    'The record of the checkpoint key was removed from the database. The next start records the key that it has. Auditors and witnesses must switch to it.',
  ];
}

async function webhook(client: ClientBase): Promise<readonly string[]> {
  const { rowCount } = await client.query('DELETE FROM webhook_keys');
  if (!rowCount) return NOTHING('webhook key');
  return [
    'The record of the webhook key was removed from the database. The next start records the key that it has. Institutions that keep a copy must switch to it.',
  ];
}

async function vault(client: ClientBase, config: Config): Promise<readonly string[]> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM vault_keys');
  const count = rows[0]?.count ?? 0;
  if (count > 0) {
    throw new CommandError(
      `The vault is not empty (data keys: ${count}), and only its VAULT_KEY opens it: find that key. With another one, health records, ` +
        'names of guardians and sealed messages could never be read again. Nothing was changed.',
    );
  }
  const given = config.VAULT_KEY ? Buffer.from(config.VAULT_KEY, 'hex') : readKeyFile(vaultKeyFiles(config).current);
  const { rows: wrapped } = await client.query<{ key_id: string }>('SELECT key_id FROM service_keys');
  if (given && wrapped.length > 0 && wrapped.every(({ key_id }) => key_id === keyIdOf(given))) {
    throw new CommandError(
      'The vault key that is set is the one of this database: it is not lost. Nothing was changed.',
    );
  }
  const { rows: removed } = await client.query<{ name: string }>('DELETE FROM service_keys RETURNING name');
  if (removed.length === 0) return NOTHING('vault key');
  return [
    'The vault is empty. The record of its VAULT_KEY was removed from the database. The next start records the VAULT_KEY that is set.',
    ...(removed.some(({ name }) => name === 'address hashes') ? await lostUnsubscriptions(client) : []),
  ];
}

/** The key of the address hashes follows from the first key of the relayer, but not from a later one. */
async function lostUnsubscriptions(client: ClientBase): Promise<readonly string[]> {
  if (!(await hasLedger(client))) return [];
  const { ledgerId, relayerPublicKey } = await readHead(client);
  if (ledgerIdOf(relayerPublicKey) === ledgerId) return [];
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM mail_opt_outs');
  return [
    `Unsubscribed mailboxes that will receive mails again: ${rows[0]?.count ?? 0}. The unsubscribe links in earlier mails no longer work.`,
  ];
}
