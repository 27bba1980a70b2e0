import { createHmac } from 'node:crypto';
import { ConfigError } from '../../config.ts';
import { bindOldRecords } from '../../features/records/bind-records.ts';
import { claimVault, vaultKeyFits } from '../../features/vault/vault.ts';
import {
  agreeOnSettings,
  replaceInstituteKeys,
  requireAgreement,
  type SharedSettings,
} from '../../ledger/agreed-settings.ts';
import { type OpenLedger, openLedger } from '../../ledger/open-ledger.ts';
import {
  type InstituteDigests,
  type KeyPair,
  loadCheckpointKey,
  loadInstituteKeys,
  loadRelayerKey,
  loadVaultKey,
} from '../../platform/data-folder/key-files.ts';
import { migrateDatabase } from '../../platform/db/migrate.ts';
import type { ServiceParts } from '../service.ts';
import type { Pools } from './open-pools.ts';

const OTHER_INSTITUTE_KEYS =
  'the process that started last had other INSTITUTE_KEY_DIGESTS: if you changed them, restart every process; if not, correct them';

/** The ledger in the database, with the keys that belong to it. */
export interface ServiceLedger extends OpenLedger {
  readonly vaultKey: Buffer;
  readonly checkpointKey: KeyPair | null;
  readonly instituteDigests: InstituteDigests | null;
  /** A key for one purpose, from the vault key. */
  derivedKey(purpose: string): Buffer;
}

/** @throws {ConfigError} if the keys or settings do not match the database, which is then not changed. */
export async function openServiceLedger(
  { config, log, gateway, databaseUrl }: ServiceParts,
  pools: Pools,
): Promise<ServiceLedger> {
  const { pool } = pools;
  // Reports a missing key before the database is changed.
  loadRelayerKey(config);
  const vaultKey = loadVaultKey(config);
  const applied = await migrateDatabase(databaseUrl, pools.onLost);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const ledger = await openLedger(pool, config);
  const checkpointKey = loadCheckpointKey(config);
  const instituteDigests = loadInstituteKeys(config).digests;
  const shared: SharedSettings = {
    network: gateway.kind,
    wallet: gateway.wallet.address,
    domainSuffix: config.DOMAIN_SUFFIX,
    checkpointKey: checkpointKey?.publicKey,
  };
  // A process that is refused must not claim the vault.
  await requireAgreement(pool, shared);
  if (!(await vaultKeyFits(pool, vaultKey)) || !(await claimVault(pool, vaultKey))) {
    throw new ConfigError('VAULT_KEY does not open the vault in this database; nothing was changed.');
  }
  await agreeOnSettings(pool, shared);
  if (instituteDigests && (await replaceInstituteKeys(pool, instituteDigests))) log.warn(OTHER_INSTITUTE_KEYS);
  await bindOldRecords({ databaseUrl, log, vaultKey, succession: ledger.succession });
  return {
    ...ledger,
    vaultKey,
    checkpointKey,
    instituteDigests,
    derivedKey: (purpose) => createHmac('sha256', vaultKey).update(purpose).digest(),
  };
}
