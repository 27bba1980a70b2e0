import { rm } from 'node:fs/promises';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { InvalidSuccession, verifySuccession } from '../../protocol/ledger/succession.ts';
import type { CheckpointPolicy } from '../../protocol/transparency/checkpoint.ts';
import { EMPTY_FRONTIER } from '../../protocol/transparency/merkle.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { findRelayerKey } from '../../server/ledger/open-ledger.ts';
import { createGateways, type Gateways } from '../../server/network/gateways.ts';
import {
  type CommandHooks,
  existingRelayerKey,
  openDatabase,
  openNetwork,
  runningService,
} from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import type { Progress } from '../../server/platform/command-line/progress.ts';
import { loadRelayerKeys } from '../../server/platform/data-folder/key-files.ts';
import { createPool, LONG_RUNNING } from '../../server/platform/db/pool.ts';
import { type Audit, type AuditParts, auditLedger } from './audit.ts';
import { type AuditPoint, PointLeft, treeOf } from './audit-point.ts';
import { openStateFile, type StateFile, temporaryStateFolder } from './audit-state-file.ts';
import type { Rules } from './checked.ts';
import { startCheckers } from './checkers.ts';
import { compareWithApi } from './compare-api.ts';
import { compareEntries, compareWithDatabase } from './compare-database.ts';
import { createFindings, type Findings } from './findings.ts';
import { findRules, rulesOf } from './first-key.ts';
import { type CheckpointCheck, type PolicyOptions, policyFor, readCheckpointOf } from './log-checkpoint.ts';
import { createReplayedState } from './replayed-state.ts';
import { findingLines, reportLines, type Verdict, verdictOf } from './report.ts';
import { createServiceApi, type ServedLedger, type ServiceApi } from './service-api.ts';
import { type LoadedPoint, loadPoint, storePoint } from './state-folder.ts';

export interface VerifyOptions {
  readonly gateway?: readonly string[];
  readonly wallet?: string;
  readonly relayerKey?: string;
  readonly ledgerId?: string;
  readonly api?: string;
  /** The number of identities, institutions and consents of a service to compare, together. */
  readonly sample?: number;
  /** A folder in which verified points are stored. */
  readonly state?: string;
  /** Seconds. */
  readonly maxDelay?: number;
  /** The maximum number of transactions to list for the wallet. */
  readonly mostBundles?: number;
  /** Which checkpoint of the service is accepted. */
  readonly policy?: PolicyOptions;
  /** Whether the gateway that the service states may have a private address. */
  readonly allowPrivate?: boolean;
}

export interface CommandParts extends CommandHooks {
  readonly env: Record<string, string | undefined>;
  readonly progress: Progress;
  readonly print: (line: string) => void;
  /** The built check.worker.js; by default the one next to the running file. */
  readonly workerFile?: URL;
}

const SAMPLE = 50;
const MAX_DELAY_SECONDS = 86_400;
const POOL_SIZE = 3;

/** What is audited and compared. */
interface Target {
  readonly gateways: Gateways;
  readonly wallet: string;
  readonly rules: Rules;
  readonly maxDelayMs: number;
  readonly databaseUrl: string | null;
  readonly api: { readonly url: string; readonly client: ServiceApi } | null;
  /** Null if the service publishes no checkpoints, or none is compared with. */
  readonly policy: CheckpointPolicy | null;
}

/** The parts of the command that could not be done, and the error of each. */
interface Undone {
  readonly errors: unknown[];
  /** Null if the part could not be done. */
  attempt<Result>(part: () => Promise<Result>): Promise<Result | null>;
}

function createUndone(): Undone {
  const errors: unknown[] = [];
  return {
    errors,
    async attempt(part) {
      try {
        return await part();
      } catch (error) {
        errors.push(error);
        return null;
      }
    },
  };
}

/**
 * `npm run verify`. @returns the verdict on the ledger; `breach` also if a part could not be done after one was found.
 * @throws {CommandError | ConfigError | GatewayError | ServiceApiError} if this could not be decided.
 */
export async function verify(options: VerifyOptions, parts: CommandParts): Promise<Verdict> {
  const named = options.policy ?? options.api ?? options.gateway ?? options.wallet ?? options.relayerKey;
  const undone = createUndone();
  const target =
    named === undefined ? await targetFromSettings(options, parts) : await targetFromOptions(options, undone);
  const memory = watchMemory();
  const began = performance.now();
  const pool =
    target.databaseUrl === null ? null : createPool(target.databaseUrl, POOL_SIZE, () => undefined, LONG_RUNNING);
  const checkers = startCheckers(target.rules, parts.workerFile ? { file: parts.workerFile } : {});
  parts.addStep('the checks', async () => {
    memory.stop();
    await Promise.all([checkers.close(), pool?.end()]);
  });
  const { gateways: client, wallet, maxDelayMs, rules, api: service, policy } = target;
  const checkpoint = service && policy && (await undone.attempt(() => readCheckpointOf(service.client, policy)));
  let found: Findings | null = null;
  const audited = await undone.attempt(() =>
    auditFrom(options.state, parts, checkpoint, {
      client,
      wallet,
      checkers,
      maxDelayMs,
      ...(options.mostBundles === undefined ? {} : { mostBundles: options.mostBundles }),
      onFindings: (findings) => {
        found = findings;
      },
      onProgress: parts.progress.at,
      async onBundle(_, placed, findings) {
        checkpoint?.add(placed);
        if (pool) await compareEntries(pool, placed, findings);
      },
    }),
  );
  if (!audited) return afterFailure(found, undone, parts);
  const { audit, resumed } = audited;
  if (options.relayerKey) requireKey(options.relayerKey, audit);
  const networkSeconds = (performance.now() - began) / 1000;
  const database = pool && (await undone.attempt(() => compareWithDatabase(pool, audit, { client, maxDelayMs })));
  const sampling = { sample: options.sample ?? SAMPLE, maxDelayMs };
  const compared = service && (await undone.attempt(() => compareWithApi(service.client, audit, sampling)));
  const checked = checkpoint?.finish(audit.findings) ?? null;
  if (undone.errors.length > 0) return afterFailure(audit.findings, undone, parts);
  parts.progress.end();
  const report = reportLines({
    audit,
    resumed,
    networkSeconds,
    ledgerId: rules.ledgerId,
    wallet,
    gateways: client,
    maxDelayMs,
    database,
    api: service && compared ? { url: service.url, ...compared } : null,
    checkpoint: checked,
    peakMemoryBytes: memory.stop(),
  });
  for (const line of report) parts.print(line);
  return verdictOf(audit);
}

/** Names the breaches that were found before a part failed. @throws the error of that part if there are none */
function afterFailure(found: Findings | null, { errors }: Undone, parts: CommandParts): Verdict {
  if (!found || found.total === 0) throw errors[0];
  parts.progress.end();
  for (const error of errors) parts.print(`Not everything could be checked: ${(error as Error).message}`);
  for (const line of findingLines(found)) parts.print(line);
  return 'breach';
}

/** Audits from the point that is stored in a folder, or from the first entry, and stores the point that it reaches. */
async function auditFrom(
  folder: string | undefined,
  { addStep, note }: CommandParts,
  checkpoint: CheckpointCheck | null,
  parts: Omit<AuditParts, 'state' | 'from' | 'onPoint'>,
): Promise<{ readonly audit: Audit; readonly resumed: LoadedPoint | null }> {
  const { wallet, maxDelayMs, checkers } = parts;
  const binding = { rules: checkers.rules, wallet, maxDelayMs };
  const audit = (stateFile: StateFile, from: LoadedPoint | null) =>
    auditLedger({
      ...parts,
      state: createReplayedState(stateFile, { rest: from?.point.state }),
      ...(from ? { from: from.point } : {}),
      ...(folder === undefined
        ? {}
        : {
            async onPoint(point: AuditPoint) {
              stateFile.commit();
              await storePoint(folder, binding, point, stateFile.path);
            },
          }),
    });
  const open = (temporary: string): StateFile => {
    const stateFile = openStateFile(temporary);
    addStep('the temporary files', async () => stateFile.close());
    return stateFile;
  };
  const temporary = temporaryStateFolder();
  addStep('the temporary folder', () => rm(temporary, { recursive: true, force: true }));
  const resumed = folder === undefined ? null : await loadPoint(folder, binding, temporary);
  try {
    if (resumed && checkpoint && !checkpoint.beginWith(treeOf(resumed.point))) {
      throw new PointLeft('The checkpoint of the service has fewer entries than were verified before.');
    }
    return { audit: await audit(open(temporary), resumed), resumed };
  } catch (error) {
    if (!(error instanceof PointLeft)) throw error;
    note(`${error.message} Everything is verified again.`);
    checkpoint?.beginWith(EMPTY_FRONTIER);
    parts.onFindings?.(createFindings());
    return { audit: await audit(open(temporaryStateFolder()), null), resumed: null };
  }
}

/** The target that the service's settings define, with its database. */
async function targetFromSettings(options: VerifyOptions, parts: CommandParts): Promise<Target> {
  const config = readConfig(parts.env);
  existingRelayerKey(config, ', or give --gateway, --wallet and --relayer-key, or --api');
  const running = await runningService(config);
  const databaseUrl = await openDatabase(config, running, parts);
  const stored = options.ledgerId === undefined ? await storedRules(databaseUrl, config) : null;
  const network = await openNetwork(config, running, parts);
  const keys = loadRelayerKeys(config).map(({ publicKey }) => publicKey.toString('hex'));
  const known = { keys, ledgerId: options.ledgerId, suffix: config.DOMAIN_SUFFIX };
  const gateways = createGateways(network.gatewayUrls);
  return {
    gateways,
    wallet: network.wallet,
    rules: stored ?? (await findRules(gateways, network.wallet, known)),
    maxDelayMs: 1000 * (options.maxDelay ?? config.MAX_POSTING_DELAY_SECONDS),
    databaseUrl,
    api: null,
    policy: null,
  };
}

/** The rules of the ledger that the database and the key files prove; null if they contradict each other, which the audit reports. */
async function storedRules(databaseUrl: string, config: Config): Promise<Rules | null> {
  const pool = createPool(databaseUrl, 1, () => undefined);
  try {
    const { succession, head } = await findRelayerKey(pool, config);
    return rulesOf(succession.keys[0].publicKey, head.ledgerId, config.DOMAIN_SUFFIX);
  } catch {
    return null;
  } finally {
    await pool.end();
  }
}

/** The target of the options; missing values come from the service at --api. */
async function targetFromOptions(options: VerifyOptions, undone: Undone): Promise<Target> {
  const client = options.api === undefined ? null : createServiceApi(options.api);
  const served = (client && (await undone.attempt(client.ledger))) ?? undefined;
  const gatewayUrls = options.gateway ?? (served && [served.network.gateway_url]);
  const wallet = options.wallet ?? served?.wallet_address;
  const relayerKey = options.relayerKey ?? served?.relayer_public_key;
  if (gatewayUrls === undefined || wallet === undefined || relayerKey === undefined) {
    if (client) throw undone.errors[0];
    throw new CommandError('Without --api, all three of --gateway, --wallet and --relayer-key are needed.');
  }
  const key = relayerKey.toLowerCase();
  const known = { keys: [key], ledgerId: options.ledgerId ?? served?.ledger_id ?? ledgerIdOf(key), suffix: null };
  const gateways = createGateways(gatewayUrls, { publicOnly: !options.gateway && !options.allowPrivate });
  const firstServed = served && firstKeyOf(served);
  const rules =
    firstServed && ledgerIdOf(firstServed) === known.ledgerId
      ? rulesOf(firstServed, undefined, null)
      : await findRules(gateways, wallet, known);
  if (options.policy && !client) throw new CommandError('A checkpoint is read from a service: give --api.');
  return {
    gateways,
    wallet,
    rules,
    policy: served ? policyFor(rules.ledgerId, options.policy ?? {}, served.checkpoint_key ?? null) : null,
    maxDelayMs: 1000 * (options.maxDelay ?? served?.max_posting_delay_seconds ?? MAX_DELAY_SECONDS),
    databaseUrl: null,
    api: client && served && options.api !== undefined ? { url: options.api, client } : null,
  };
}

/** The key that the served ledger began with; null if its list of changes does not show one. */
function firstKeyOf({ ledger_id, relayer_keys, relayer_public_key }: ServedLedger): string | null {
  try {
    const items = relayer_keys.map((item) => Buffer.from(item, 'base64'));
    return verifySuccession(ledger_id, items, relayer_public_key).keys[0].publicKey;
  } catch (error) {
    if (error instanceof InvalidSuccession) return null;
    throw error;
  }
}

/** A key that an auditor has from elsewhere must be one of the ledger's. */
function requireKey(given: string, { relayerKeys, findings }: Audit): void {
  if (relayerKeys.keys.some(({ publicKey }) => publicKey === given.toLowerCase())) return;
  findings.add({
    kind: 'RELAYER_KEY',
    sentence: `The given key ${given} is none of the relayer’s keys of this ledger.`,
  });
}

/** Samples the resident size of this process; `stop` returns the largest. */
export function watchMemory(): { stop(): number } {
  let peak = process.memoryUsage.rss();
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 100).unref();
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}
