import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type LedgerId, ledgerIdOf } from '../../protocol/ids.ts';
import { InvalidSuccession, verifySuccession } from '../../protocol/ledger/succession.ts';
import type { CheckpointPolicy } from '../../protocol/transparency/checkpoint.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { hasLedger } from '../../server/ledger/head.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { type CommandHooks, openDatabase } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { createClock } from '../../server/platform/db/clock.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { createLog } from '../../server/platform/observe/log.ts';
import { startCheckers } from '../audit/checkers.ts';
import { type PolicyOptions, policyFor } from '../audit/log-checkpoint.ts';
import { createServiceApi, type ServedLedger, ServiceApiError } from '../audit/service-api.ts';
import { type Following, follow } from './follow.ts';
import { createMirrorContext } from './mirror-context.ts';
import { areGatewaysStated, beginMirror, readMirror, type Trust } from './mirror-rows.ts';
import { serveMirror } from './serve-mirror.ts';

export interface MirrorOptions {
  /** The URL of the service; without it the network alone is read. */
  readonly of?: string;
  readonly gateway?: readonly string[];
  /** Whether the gateway that the service states may have a private address. */
  readonly allowPrivate?: boolean;
  readonly wallet?: string;
  /** The first key of the relayer; hex. */
  readonly relayerKey?: string;
  readonly ledgerId?: string;
  /** The maximum time between acceptance and block; in seconds. */
  readonly maxDelay?: number;
  /** Which checkpoints of the service are accepted. */
  readonly policy?: PolicyOptions;
  readonly port?: number;
}

export interface MirrorParts extends CommandHooks {
  readonly env: Record<string, string | undefined>;
  /** The built check.worker.js; by default the one next to the running file. */
  readonly workerFile?: URL;
}

export interface RunningMirror {
  readonly url: string;
  readonly following: Following;
}

const POOL_SIZE = 4;
const NETWORK_MS = { devnet: 1_000, arweave: 60_000 };
const DEFAULT_DELAY_SECONDS = 86_400;

/**
 * `npm run mirror`: follows a ledger, verifies it and serves its public reads, until the hooks stop it.
 * @throws {CommandError | ConfigError | ServiceApiError} if it cannot begin
 */
export async function startMirror(options: MirrorOptions, parts: MirrorParts): Promise<RunningMirror> {
  const config = readConfig(parts.env);
  requireOwnDirectory(config);
  const databaseUrl = await openDatabase(config, null, parts);
  const lost = ({ message }: Error) => parts.note(`A database connection was lost: ${message}`);
  const pool = createPool(databaseUrl, POOL_SIZE, lost);
  const listPool = createPool(databaseUrl, POOL_SIZE, lost);
  parts.addStep('the database connections', () => Promise.all([pool.end(), listPool.end()]));
  await migrate(pool);
  const stored = (await readMirror(pool)) ?? (await begin(pool, options, parts));
  const { trust } = stored;
  requireSameLedger(options, trust);

  const rules = { relayerKey: trust.relayer_public_key, ledgerId: trust.ledger_id as LedgerId, suffix: null };
  const checkers = startCheckers(rules, parts.workerFile ? { file: parts.workerFile } : {});
  parts.addStep('the checks', checkers.close);
  const gateways = createGateways(options.gateway ?? trust.gateway_urls, {
    publicOnly: !options.gateway && areGatewaysStated(trust) && !options.allowPrivate,
  });
  const following = await follow({
    pool,
    checkers,
    gateways,
    trust,
    stored,
    policy: policyOf(options, trust),
    dataDir: config.DATA_DIR,
    api: trust.url === null ? null : createServiceApi(trust.url),
    networkMs: NETWORK_MS[trust.network_kind],
    note: parts.note,
  });
  parts.addStep('following', following.stop);

  const clock = createClock();
  await clock.synchronise(pool);
  const address = { url: config.PUBLIC_URL ?? '' };
  const log = createLog(config, null);
  const publicUrl = () => address.url;
  const context = createMirrorContext({ config, log, pool, listPool, clock, gateways, trust, following, publicUrl });
  parts.addStep('the limiter', context.limiter.close);
  const served = await serveMirror(context, options.port ?? config.PORT, trust.url, following.verifiedTo);
  parts.addStep('the HTTP server', served.stop);
  address.url ||= served.url;
  return { url: served.url, following };
}

/** @throws {CommandError} for options that are no policy for this log */
function policyOf({ policy = {} }: MirrorOptions, { url, ledger_id, checkpoint_key }: Trust): CheckpointPolicy | null {
  if (url === null) {
    if (Object.keys(policy).length > 0)
      throw new CommandError('A mirror of the network alone reads no checkpoints: give --of URL as well.');
    return null;
  }
  if (policy.checkpointKey !== undefined && policy.checkpointKey !== checkpoint_key)
    throw new CommandError(
      `The database mirrors a log with ${checkpoint_key === null ? 'no key' : `the key ${checkpoint_key}`}: begin a new mirror in another DATA_DIR.`,
    );
  return policyFor(ledger_id as LedgerId, policy, checkpoint_key);
}

/** Beside the keys of a service, a mirror would check a ledger against itself. */
function requireOwnDirectory({ DATA_DIR }: Config): void {
  if (!existsSync(join(DATA_DIR, 'relayer.key'))) return;
  throw new CommandError(`${DATA_DIR} is the data directory of a service: set DATA_DIR to one of the mirror’s own.`);
}

async function begin(pool: Pool, options: MirrorOptions, { note }: MirrorParts) {
  if (await hasLedger(pool)) {
    throw new CommandError(
      'The database is that of a service: set DATABASE_URL or DATA_DIR to one of the mirror’s own.',
    );
  }
  const trust = options.of === undefined ? trustInNetwork(options) : await trustInService(options.of, options);
  if (options.ledgerId === undefined) {
    note(`The mirror trusts that the ledger is ${trust.ledger_id}, because it was not given --ledger-id.`);
  }
  for (const line of unpinnedSettings(options, trust)) note(line);
  await beginMirror(pool, trust);
  return { trust, head: null, breach: null };
}

/** A service that chooses gateway and wallet decides what the mirror sees; one that chooses the delay, when LATE_POSTING is reported. */
function unpinnedSettings(options: MirrorOptions, trust: Trust): string[] {
  if (options.of === undefined) return [];
  const { gateway_urls: gateways, wallet_address: wallet, max_posting_delay_seconds: seconds } = trust;
  const unpinned = [
    options.gateway ? null : `the gateway ${gateways.join(', ')} (--gateway)`,
    options.wallet ? null : `the wallet ${wallet} (--wallet)`,
    options.maxDelay === undefined ? `a maximum of ${seconds} seconds until an entry is posted (--max-delay)` : null,
  ];
  return unpinned.flatMap((setting) => (setting === null ? [] : [`The mirror takes from the service ${setting}.`]));
}

function trustInNetwork({ gateway, wallet, relayerKey, ledgerId, maxDelay }: MirrorOptions): Trust {
  if (gateway === undefined || wallet === undefined || relayerKey === undefined) {
    throw new CommandError('Give --of URL, or all three of --gateway, --wallet and --relayer-key.');
  }
  return {
    url: null,
    ledger_id: ledgerId ?? ledgerIdOf(relayerKey),
    relayer_public_key: relayerKey,
    checkpoint_key: null,
    wallet_address: wallet,
    gateway_urls: [...gateway],
    gateways_stated: false,
    network_kind: 'arweave',
    max_posting_delay_seconds: maxDelay ?? DEFAULT_DELAY_SECONDS,
  };
}

async function trustInService(url: string, options: MirrorOptions): Promise<Trust> {
  const served = await createServiceApi(url).ledger();
  const ledgerId = options.ledgerId ?? served.ledger_id;
  if (served.ledger_id !== ledgerId) {
    throw new CommandError(`The service at ${url} has the ledger ${served.ledger_id}, not ${ledgerId}.`);
  }
  return {
    url: url.replace(/\/+$/, ''),
    ledger_id: ledgerId,
    relayer_public_key: options.relayerKey ?? firstKeyOf(served),
    checkpoint_key: options.policy?.checkpointKey ?? served.checkpoint_key,
    wallet_address: options.wallet ?? served.wallet_address,
    gateway_urls: [...(options.gateway ?? [served.network.gateway_url])],
    gateways_stated: options.gateway === undefined,
    network_kind: served.network.kind,
    max_posting_delay_seconds: options.maxDelay ?? served.max_posting_delay_seconds,
  };
}

/** The key whose digest is the ledger id, from which the others follow. @throws {ServiceApiError} */
function firstKeyOf(served: ServedLedger): string {
  const items = served.relayer_keys.map((item) => Buffer.from(item, 'base64'));
  try {
    return verifySuccession(served.ledger_id, items, served.relayer_public_key).keys[0].publicKey;
  } catch (error) {
    if (!(error instanceof InvalidSuccession)) throw error;
    throw new ServiceApiError(`The keys that the service serves are not those of its ledger: ${error.message}`);
  }
}

function requireSameLedger({ of: url, ledgerId, wallet, maxDelay }: MirrorOptions, trust: Trust): void {
  if (ledgerId !== undefined && ledgerId !== trust.ledger_id) {
    throw new CommandError(`The database mirrors the ledger ${trust.ledger_id}, not ${ledgerId}.`);
  }
  if ((url?.replace(/\/+$/, '') ?? null) !== trust.url) {
    throw new CommandError(
      `The database mirrors ${trust.url ?? 'the network alone'}: give the same options, or another DATA_DIR.`,
    );
  }
  if (wallet !== undefined && wallet !== trust.wallet_address) {
    throw new CommandError(`The database mirrors what the wallet ${trust.wallet_address} posts: ${BEGIN_ANOTHER}`);
  }
  if (maxDelay !== undefined && maxDelay !== trust.max_posting_delay_seconds) {
    const agreed = `The mirror began with a maximum of ${trust.max_posting_delay_seconds} seconds until an entry is posted`;
    throw new CommandError(`${agreed}: ${BEGIN_ANOTHER}`);
  }
}

const BEGIN_ANOTHER = 'give the same option, or begin a new mirror in another DATA_DIR.';
