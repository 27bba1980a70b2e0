import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { ConfigError } from '../config.ts';
import { walletAddress } from '../network/wallet.ts';

/** What all processes on one database must have in common. A process leaves out what it does not have. */
export interface SharedSettings {
  readonly network?: 'devnet' | 'arweave';
  /** The address of the wallet. */
  readonly wallet?: string;
  readonly domainSuffix?: string;
  /** The public key that verifies checkpoints; 32 bytes. */
  readonly checkpointKey?: Uint8Array | undefined;
}

interface SharedSetting {
  /** Its row in agreed_settings. */
  readonly name: string;
  readonly of: (settings: SharedSettings) => string | undefined;
  /** The sentence for a process with another value than the database. */
  readonly problem: (agreed: string, own: string) => string;
}

const SHARED: readonly SharedSetting[] = [
  {
    name: 'network',
    of: ({ network }) => network,
    problem: (agreed) =>
      agreed === 'arweave'
        ? 'The ledger in this database is on Arweave, but this service would write to the embedded devnet: set ARWEAVE_GATEWAY_URL and ARWEAVE_WALLET_FILE. The ledger was not changed.'
        : 'The ledger in this database is on the embedded devnet and cannot move to Arweave: begin a ledger there with a database, a DATA_DIR and a relayer key of its own. The ledger was not changed.',
  },
  {
    name: 'wallet',
    of: ({ wallet }) => wallet,
    problem: (agreed, own) =>
      `The ledger in this database is posted by the wallet ${agreed}, but the wallet of this service is ${own}: give the first one in ARWEAVE_WALLET_FILE, or on the devnet the DATA_DIR that has it. The ledger was not changed.`,
  },
  {
    name: 'domain_suffix',
    of: ({ domainSuffix }) => domainSuffix,
    problem: (agreed, own) =>
      `The domains in this database end with .${agreed}, but DOMAIN_SUFFIX is ${own}: set it to ${agreed}. The ledger was not changed.`,
  },
  {
    name: 'checkpoint_key',
    of: ({ checkpointKey }) => checkpointKey && Buffer.from(checkpointKey).toString('hex'),
    problem: () =>
      'The checkpoint key is not the one that this database was used with. Give every process the same CHECKPOINT_KEY_FILE; ' +
      'for a new key after a loss or a theft, run "npm run forget-key -- checkpoint" first (docs/operations.md). The ledger was not changed.',
  },
];

type Db = Pick<Pool, 'query'>;

/**
 * Records the settings of this process where the database has none.
 * @throws {ConfigError} if one differs from that of the database
 */
export async function agreeOnSettings(db: Db, own: SharedSettings): Promise<void> {
  await requireAgreement(db, own);
  const given = SHARED.map(({ name, of }) => ({ name, value: of(own) })).filter(({ value }) => value !== undefined);
  await db.query(
    'INSERT INTO agreed_settings (name, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING',
    [given.map(({ name }) => name), given.map(({ value }) => value)],
  );
  // Another process may have recorded its own meanwhile.
  await requireAgreement(db, own);
}

/** Changes nothing. @throws {ConfigError} if a setting differs from that of the database */
export async function requireAgreement(db: Db, own: SharedSettings): Promise<void> {
  const [problem] = await disagreements(db, own);
  if (problem) throw new ConfigError(problem);
}

/** A sentence for each setting that differs from that of the database. Changes nothing. */
export async function disagreements(db: Db, own: SharedSettings): Promise<string[]> {
  const agreed = await readAgreed(db);
  return SHARED.flatMap(({ name, of, problem }) => {
    const [there, here] = [agreed.get(name), of(own)];
    return there === undefined || here === undefined || there === here ? [] : [problem(there, here)];
  });
}

async function readAgreed(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ name: string; value: string }>('SELECT name, value FROM agreed_settings');
  const agreed = new Map(rows.map(({ name, value }) => [name, value]));
  const wallet = agreed.get('wallet') ?? (await walletOfLastBundle(db));
  return wallet === undefined ? agreed : agreed.set('wallet', wallet);
}

/** A database of an earlier version names its wallet only in its transactions. */
async function walletOfLastBundle(db: Db): Promise<string | undefined> {
  const { rows } = await db.query<{ owner: string }>(
    `SELECT transaction ->> 'owner' AS owner FROM bundles WHERE transaction ->> 'owner' IS NOT NULL
     ORDER BY first_seq DESC LIMIT 1`,
  );
  return rows[0] && walletAddress({ n: rows[0].owner });
}

/** For a database that is rebuilt: what processes on it had in common. */
export const forgetAgreedSettings = async (db: Db): Promise<void> => {
  await db.query('DELETE FROM agreed_settings');
};

const INSTITUTE_KEYS = 'institute_keys';

const instituteKeysOf = (digests: readonly Uint8Array[]): string => hash('sha256', Buffer.concat(digests), 'hex');

/**
 * Records the institute's keys, which may change: every process is then restarted with the new digests.
 * @returns whether the process that started last had others
 */
export async function replaceInstituteKeys(db: Db, digests: readonly Uint8Array[]): Promise<boolean> {
  const isReplaced = await hasOtherInstituteKeys(db, digests);
  await db.query(
    'INSERT INTO agreed_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value',
    [INSTITUTE_KEYS, instituteKeysOf(digests)],
  );
  return isReplaced;
}

/** Whether the process that started last had other institute keys. */
export async function hasOtherInstituteKeys(db: Db, digests: readonly Uint8Array[]): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM agreed_settings WHERE name = $1 AND value <> $2', [
    INSTITUTE_KEYS,
    instituteKeysOf(digests),
  ]);
  return rowCount === 1;
}
