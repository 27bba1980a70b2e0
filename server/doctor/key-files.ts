import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import {
  loadCheckpointKey,
  loadInstituteKeys,
  loadRelayerKey,
  loadVaultKey,
  loadWebhookSeeds,
  readFileIfExists,
  vaultKeyFiles,
} from '../keys.ts';
import { loadWallet, WalletError } from '../network/wallet.ts';
import { expiryProblem, readTlsFiles } from '../tls-files.ts';
import { type Check, type Finding, failure, warning } from './check.ts';

interface KeyFile {
  readonly name: string;
  readonly path: string;
  /** Whether a setting names it; otherwise the service creates it. */
  readonly isSet: boolean;
  /** Throws if the content is wrong. */
  readonly read: () => unknown;
}

function keyFilesOf(config: Config): KeyFile[] {
  const file = (name: string, given: string | undefined, own: string, read: () => unknown): KeyFile => ({
    name: given ? name : own,
    path: given ?? join(config.DATA_DIR, own),
    isSet: given !== undefined,
    read,
  });
  const { ARWEAVE_WALLET_FILE: wallet, TLS_KEY_FILE: tls } = config;
  return [
    file('RELAYER_KEY_FILE', config.RELAYER_KEY_FILE, 'relayer.key', () => loadRelayerKey(config)),
    ...(config.VAULT_KEY
      ? []
      : [{ name: 'vault.key', path: vaultKeyFiles(config).current, isSet: false, read: () => loadVaultKey(config) }]),
    file('CHECKPOINT_KEY_FILE', config.CHECKPOINT_KEY_FILE, 'checkpoint.key', () => loadCheckpointKey(config)),
    file('WEBHOOK_KEY_FILE', config.WEBHOOK_KEY_FILE, 'webhook.key', () => loadWebhookSeeds(config)),
    ...(wallet ? [file('ARWEAVE_WALLET_FILE', wallet, 'wallet', () => loadWallet(wallet))] : []),
    ...(tls ? [file('TLS_KEY_FILE', tls, 'key', () => readTlsFiles(config))] : []),
  ];
}

/** Existence, mode and content of every key file. A missing file that the service would create is in order. */
export const keyFiles: Check = {
  name: 'key files',
  run: async (config) => [
    ...keyFilesOf(config).flatMap(problemsOf),
    ...certificateProblems(config),
    ...instituteProblems(config),
  ],
};

function problemsOf({ name, path, isSet, read }: KeyFile): Finding[] {
  const mode = modeOf(path);
  if (mode === null) {
    return isSet
      ? [failure(`${name} names ${path}, which does not exist.`, 'Put the key there, or correct the setting.')]
      : [];
  }
  const who = (mode & 0o007) !== 0 ? 'everyone on this machine' : (mode & 0o070) !== 0 ? 'a group' : null;
  const octal = mode.toString(8).padStart(4, '0');
  const exposed = who ? [warning(`${path} is accessible to ${who} (mode ${octal}).`, `Run: chmod 600 ${path}`)] : [];
  try {
    accessSync(path, constants.R_OK);
    read();
    return exposed;
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof WalletError;
    const problem = known ? error.message : `${path} cannot be read.`;
    return [...exposed, failure(problem, 'Restore the file, and let the user of the service read it.')];
  }
}

/** A certificate that cannot be read is reported with its key. */
function certificateProblems(config: Config): Finding[] {
  try {
    const files = readTlsFiles(config);
    const problem = files && expiryProblem(files, Date.now());
    return problem ? [warning(problem, 'Renew it: clients refuse it.')] : [];
  } catch {
    return [];
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return null;
  }
}

/** Does not create keys: without the file, only settings count. */
function instituteProblems(config: Config): Finding[] {
  const isProduction = config.DATABASE_URL !== undefined || config.ARWEAVE_GATEWAY_URL !== undefined;
  const path = join(config.DATA_DIR, 'institute-keys.json');
  if (!isProduction && readFileIfExists(path) === null) return [];
  try {
    if (loadInstituteKeys(config).digests) return [];
    return [
      warning(
        'The institute has no keys, so institutions can be neither certified nor governed.',
        'Set INSTITUTE_KEY_DIGESTS to the SHA-256 digests of its three keys.',
      ),
    ];
  } catch (error) {
    return [failure((error as Error).message, 'Follow this sentence.')];
  }
}
