import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../../server/config.ts';
import { vaultKeyFits } from '../../server/features/vault/vault.ts';
import { disagreements, hasOtherInstituteKeys, type SharedSettings } from '../../server/ledger/agreed-settings.ts';
import { type Head, readHead } from '../../server/ledger/head.ts';
import { findRelayerKey } from '../../server/ledger/open-ledger.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import {
  loadCheckpointKey,
  loadInstituteKeys,
  loadRelayerKey,
  loadVaultKey,
  relayerKeyFiles,
  vaultKeyFiles,
} from '../../server/platform/data-folder/key-files.ts';
import { connectionProblem } from '../../server/platform/db/connection-problem.ts';
import { connectionLimitProblem } from '../../server/platform/db/connections.ts';
import { databaseProblem } from '../../server/platform/db/database-problem.ts';
import { pendingMigrations } from '../../server/platform/db/migrate.ts';
import { createPool, isSuperuser } from '../../server/platform/db/pool.ts';
import { ENCRYPT_DATABASE, unencryptedProblem } from '../../server/settings/database-hosts.ts';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';

const skips = ({ DATABASE_URL }: Config): string | null =>
  DATABASE_URL ? null : 'the embedded database is used, which the service starts';

/** Server, version, pooler, advisory locks, clock and connections, as at a start; then the role and the migrations. */
export const database: Check = {
  name: 'database',
  skips,
  async run({ DATABASE_URL = '', PROCESSES }) {
    const problem = await databaseProblem(DATABASE_URL).catch((error: unknown) => error as Error);
    if (problem instanceof Error) {
      const remedy = 'Check DATABASE_URL, the password and the network, and that the server runs.';
      const reason =
        connectionProblem(problem) ??
        unreadableFile(problem) ??
        `The database cannot be reached (${reasonOf(problem)}).`;
      return [failure(reason, remedy)];
    }
    if (problem) return [failure(problem, 'The service does not start until this is changed.')];
    const tooFew = await connectionLimitProblem(DATABASE_URL, PROCESSES);
    return withPool(DATABASE_URL, async (pool) => [
      ...(tooFew
        ? [warning(tooFew, 'Otherwise requests get 503 when all are in use. Add those of other machines.')]
        : []),
      ...(await roleProblems(pool)),
      ...(await migrationProblems(pool)),
    ]);
  },
};

/** Of sslrootcert, sslcert or sslkey. */
const unreadableFile = ({ code, path }: NodeJS.ErrnoException): string | null =>
  path === undefined ? null : `${path}, which DATABASE_URL names, cannot be read (${code}).`;

export const databaseEncryption: Check = {
  name: 'encryption of the database',
  skips,
  async run(config) {
    const problem = unencryptedProblem(config);
    return problem ? [warning(problem, ENCRYPT_DATABASE)] : [];
  },
};

/** Whether the keys belong to the data: with other ones the service does not start. */
export const databaseKeys: Check = {
  name: 'keys of the database',
  skips: (config) => skips(config) ?? (hasKeys(config) ? null : 'a key is missing'),
  run: (config) =>
    withPool(config.DATABASE_URL ?? '', async (pool) => {
      const pending = await pendingMigrations(pool);
      if (pending.length > 0) return [];
      const head = await readHead(pool).catch(() => null);
      const problem = head && (await findRelayerKey(pool, config).then(() => null, reasonOf));
      const fits = await vaultKeyFits(pool, loadVaultKey(config));
      return [
        ...(problem === null ? [] : [failure(problem, 'Use the key that signs this ledger now.')]),
        ...(head ? unfinishedRotation(config, head) : []),
        ...(fits
          ? []
          : [
              failure(
                'VAULT_KEY does not open the vault in this database.',
                'Use the key of this vault, from where it is kept apart from the backups.',
              ),
            ]),
      ];
    }),
};

const hasKeys = (config: Config): boolean =>
  existsSync(relayerKeyFiles(config).current) &&
  (config.VAULT_KEY !== undefined || existsSync(vaultKeyFiles(config).current));

/** Whether this process may join those that use the database: with other settings the service does not start. */
export const sharedSettings: Check = {
  name: 'settings of the database',
  skips,
  run: (config) =>
    withPool(config.DATABASE_URL ?? '', async (pool) => {
      if ((await pendingMigrations(pool)).length > 0) return [];
      const problems = await disagreements(pool, sharedSettingsOf(config));
      const { digests } = loadInstituteKeys(config);
      return [
        ...problems.map((problem) => failure(problem, 'The service does not start until this is changed.')),
        ...(digests && (await hasOtherInstituteKeys(pool, digests)) ? [OTHER_INSTITUTE_KEYS] : []),
      ];
    }),
};

const OTHER_INSTITUTE_KEYS = warning(
  'The process that started last had other INSTITUTE_KEY_DIGESTS.',
  'If you change the keys, restart every process with the new digests; otherwise correct them.',
);

function sharedSettingsOf(config: Config): SharedSettings {
  const walletFile = config.ARWEAVE_WALLET_FILE ?? join(config.DATA_DIR, 'devnet', 'wallet.json');
  return {
    network: config.ARWEAVE_GATEWAY_URL ? 'arweave' : 'devnet',
    ...(existsSync(walletFile) ? { wallet: loadWallet(walletFile).address } : {}),
    domainSuffix: config.DOMAIN_SUFFIX,
    checkpointKey: loadCheckpointKey(config, { create: false })?.publicKey,
  };
}

/** The current key may still be in the file of the next one, which a rotation renames at its end. */
function unfinishedRotation(config: Config, { relayerPublicKey }: Head): Finding[] {
  if (loadRelayerKey(config).publicKey.toString('hex') === relayerPublicKey) return [];
  const { next, current } = relayerKeyFiles(config);
  return [
    warning(
      `The key that signs the ledger is in ${next}: a rotation was interrupted, or its end could not rename the file.`,
      `Run npm run rotate-relayer-key again, or rename it to ${current}.`,
    ),
  ];
}

async function withPool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool(url, 1, () => undefined);
  return work(pool).finally(() => pool.end());
}

async function roleProblems(pool: Pool): Promise<Finding[]> {
  if (!(await isSuperuser(pool))) return [];
  return [
    warning('The role of DATABASE_URL is a superuser.', 'Give the service an ordinary role that owns its database.'),
  ];
}

async function migrationProblems(pool: Pool): Promise<Finding[]> {
  const pending = await pendingMigrations(pool);
  if (pending.length === 0) return [];
  return [
    warning(
      `${pending.length} migrations are pending, the first is ${pending[0]}; a start applies them.`,
      'Run npm run migrate first if several processes start at once, or if the role may not change the schema.',
    ),
  ];
}
