import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../../server/config.ts';
import { loadWallet, WalletError } from '../../server/network/wallet.ts';
import {
  loadCheckpointKey,
  loadInstituteKeys,
  loadRelayerKey,
  loadVaultKey,
  loadWebhookSeeds,
  type MainKey,
  mayCreateMainKeys,
  missingKey,
  readFileIfExists,
  relayerKeyFiles,
  vaultKeyFiles,
} from '../../server/platform/data-folder/key-files.ts';
import { expiryProblem, readTlsFiles } from '../../server/platform/listening/tls-files.ts';
import { type Check, type Finding, failure, warning } from './check.ts';

interface KeyFile {
  readonly path: string;
  /** What a missing file is; null if the service creates it. */
  readonly missing: Finding | null;
  /** Throws if the content is wrong. */
  readonly read: () => unknown;
}

function keyFilesOf(config: Config): KeyFile[] {
  const file = (
    name: string,
    given: string | undefined,
    own: string,
    read: () => unknown,
    missing: Finding | null = null,
  ): KeyFile => {
    const path = given ?? join(config.DATA_DIR, own);
    return { path, missing: given ? missingFile(name, path) : missing, read };
  };
  const mainKey = (setting: MainKey, path: string): Finding | null => {
    if (!mayCreateMainKeys(config)) {
      const { problem, remedy } = missingKey(setting, path);
      return failure(problem, remedy);
    }
    if (!config.DATABASE_URL) return null;
    return warning(
      `${setting} is not set, and ${path} does not exist, so the service will create it.`,
      'Every process on the database needs this key. Keep a copy of it, and give it to the others.',
    );
  };
  const { current: relayerKey } = relayerKeyFiles(config);
  const { current: vaultKey } = vaultKeyFiles(config);
  const { ARWEAVE_WALLET_FILE: wallet, TLS_KEY_FILE: tls } = config;
  return [
    file(
      'RELAYER_KEY_FILE',
      config.RELAYER_KEY_FILE,
      'relayer.key',
      () => loadRelayerKey(config),
      mainKey('RELAYER_KEY_FILE', relayerKey),
    ),
    ...(config.VAULT_KEY
      ? []
      : [{ path: vaultKey, missing: mainKey('VAULT_KEY', vaultKey), read: () => loadVaultKey(config) }]),
    file(
      'CHECKPOINT_KEY_FILE',
      config.CHECKPOINT_KEY_FILE,
      'checkpoint.key',
      () => loadCheckpointKey(config),
      config.RELAYER_KEY_FILE ? noKey('No checkpoints are published', 'CHECKPOINT_KEY_FILE') : null,
    ),
    file(
      'WEBHOOK_KEY_FILE',
      config.WEBHOOK_KEY_FILE,
      'webhook.key',
      () => loadWebhookSeeds(config),
      config.RELAYER_KEY_FILE ? noKey('Events are not sent to webhooks', 'WEBHOOK_KEY_FILE') : null,
    ),
    ...(wallet ? [file('ARWEAVE_WALLET_FILE', wallet, 'wallet', () => loadWallet(wallet))] : []),
    ...(tls ? [file('TLS_KEY_FILE', tls, 'key', () => readTlsFiles(config))] : []),
  ];
}

const missingFile = (name: string, path: string): Finding =>
  failure(`${name} names ${path}, which does not exist.`, 'Put the key there, or correct the setting.');

const noKey = (effect: string, setting: string): Finding =>
  warning(
    `${effect}: ${setting} is not set.`,
    'Create a key for all processes (openssl rand -hex 32), and name its file in this setting.',
  );

/** Existence, mode and content of every key file. A missing file that the service would create is in order. */
export const keyFiles: Check = {
  name: 'key files',
  run: async (config) => [
    ...keyFilesOf(config).flatMap(problemsOf),
    ...certificateProblems(config),
    ...instituteProblems(config),
  ],
};

function problemsOf({ path, missing, read }: KeyFile): Finding[] {
  const file = statOf(path);
  if (!file) return missing ? [missing] : [];
  const who = exposedTo(file, { uid: process.getuid?.(), gid: process.getgid?.() });
  const octal = (file.mode & 0o777).toString(8).padStart(4, '0');
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

/** Who else can access a key file. Secrets of Kubernetes belong to root, and only the group lets the service read them. */
export function exposedTo(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  user: { readonly uid: number | undefined; readonly gid: number | undefined },
): string | null {
  if ((mode & 0o007) !== 0) return 'everyone on this machine';
  const isReadByOwnGroup = uid === 0 && user.uid !== 0 && gid === user.gid && (mode & 0o030) === 0;
  return (mode & 0o070) === 0 || isReadByOwnGroup ? null : 'a group';
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

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
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
