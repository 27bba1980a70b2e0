import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startCheckers } from '../../auditor/audit/checkers.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { openReceipt } from '../../server/ledger/test-chain.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { signingKeyOf } from '../../server/platform/crypto/signed-request.ts';
import { createPool, LONG_RUNNING } from '../../server/platform/db/pool.ts';
import { exportUntil, prepareEveryOperation, probeLimit, sendSpread, submitRecords, writeUntil } from './chaos-load.ts';
import { layoutName, missingOn, readMachine } from './chaos-machine.ts';
import { createDeployment, type Deployment } from './deployment.ts';
import { type Begun, DISTURBANCES } from './disturbances.ts';
import { INVARIANTS, ledgerIds } from './invariants.ts';
import { createClient, isRefusedForTime, type SentOperation, toProcesses } from './operations.ts';
import { type PlannedRound, planRounds } from './plan.ts';
import { createRandom, type Random } from './random.ts';

export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** The number of the first round, to repeat one of an earlier run. */
  readonly first?: number;
  /** After this many rounds a new deployment begins, with an empty database and another number of processes. */
  readonly deploymentRounds: number;
  /** Only disturbances whose name contains this. */
  readonly only?: string;
  /** The folder with the built programs. */
  readonly programs: string;
  readonly onRound?: (round: RoundReport) => void;
  /** Whether to stop after the current round. */
  readonly isStopping?: () => boolean;
}

export interface RoundReport {
  readonly round: number;
  readonly layout: string;
  readonly disturbances: readonly string[];
  /** Operations by their outcome before they were sent again, and the number sent again. */
  readonly operations: {
    readonly sent: number;
    readonly acknowledged: number;
    readonly unknown: number;
    readonly refused: number;
    /** Operations without a response that were in the ledger. */
    readonly found: number;
  };
  readonly exports: number;
  readonly limit: { readonly allowed: number; readonly refused: number; readonly failed: number };
  /** The most memory that a process used after a garbage collection, and the most that one grew since its first round. */
  readonly memory: { readonly usedBytes: number; readonly grownBytes: number };
  readonly problems: readonly { readonly invariant: string; readonly sentence: string }[];
  readonly seconds: number;
}

export interface ChaosReport {
  readonly seed: number;
  readonly deploymentRounds: number;
  readonly deployments: number;
  readonly rounds: readonly RoundReport[];
  readonly invariants: readonly string[];
  /** How often each disturbance happened. */
  readonly disturbances: Readonly<Record<string, number>>;
  readonly missing: readonly string[];
  readonly entries: number;
  readonly seconds: number;
  /** The folder of the logs, kept if an invariant was broken. */
  readonly logs: string | null;
}

const READY = 'every process is ready again after the disturbances';
const LOAD_MS = 1_500;
const RESEND_ATTEMPTS = 60;
const TIME_ATTEMPTS = 10;

/** Runs rounds of load and disturbances against deployments of its own, and checks the invariants after each. */
export async function runChaos({
  rounds: count,
  seed,
  first = 1,
  deploymentRounds,
  only = '',
  programs,
  onRound,
  isStopping,
}: ChaosOptions): Promise<ChaosReport> {
  const begun = performance.now();
  const machine = readMachine();
  const root = mkdtempSync(join(tmpdir(), `perpetua-chaos-${process.pid}-`));
  chmodSync(root, 0o755);
  const planned = planRounds(first + count - 1, { seed, machine, deploymentRounds, only });
  const happened = Object.fromEntries(DISTURBANCES.map(({ name }) => [name, 0]));
  const reports: RoundReport[] = [];
  const broken = () => reports.some(({ problems }) => problems.length > 0);
  let state: RunState | null = null;
  let deployments = 0;
  let entries = 0;
  let current = -1;
  const end = async (keepLogs: boolean) => {
    entries += state?.earlier.size ?? 0;
    await state?.end(keepLogs);
    state = null;
  };
  try {
    for (const [index, plan] of planned.entries()) {
      const round = index + 1;
      if (round < first || isStopping?.()) continue;
      if (plan.deployment !== current) {
        await end(broken());
        current = plan.deployment;
        deployments += 1;
        const parts = { programs, layout: plan.layout, machine, root: join(root, String(deployments)) };
        state = await begin(await createDeployment(parts), programs);
      }
      if (!state) break;
      const { report, happened: names, isReady } = await runRound(state, round, createRandom(seed, round), plan);
      for (const { name } of names) happened[name] = (happened[name] ?? 0) + 1;
      reports.push(report);
      onRound?.(report);
      // What does not become ready is of no use for the next round.
      if (!isReady) current = -1;
    }
  } finally {
    await end(broken() || reports.length === 0);
    if (reports.length > 0 && !broken()) rmSync(root, { recursive: true, force: true });
  }
  return {
    seed,
    deploymentRounds,
    deployments,
    rounds: reports,
    invariants: [READY, ...INVARIANTS.map(({ name }) => name)],
    disturbances: happened,
    missing: missingOn(machine),
    entries,
    seconds: (performance.now() - begun) / 1000,
    logs: broken() ? root : null,
  };
}

interface RunState {
  readonly deployment: Deployment;
  readonly pool: ReturnType<typeof createPool>;
  readonly arweave: ReturnType<typeof createGateways>;
  readonly checkers: ReturnType<typeof startCheckers>;
  readonly earlier: Set<string>;
  readonly baselines: Map<number, number>;
  readonly bundles: Map<string, readonly string[]>;
  end(keepLogs: boolean): Promise<void>;
}

async function begin(deployment: Deployment, programs: string): Promise<RunState> {
  const pool = createPool(deployment.database.url(deployment.database.port), 2, () => undefined, LONG_RUNNING);
  const relayerKey = signingKeyOf(deployment.secrets['the key of the relayer'] ?? '').publicKey;
  const checkers = startCheckers(
    { relayerKey, ledgerId: ledgerIdOf(relayerKey), suffix: 'bsp' },
    { file: pathToFileURL(join(programs, 'check.worker.js')) },
  );
  const state = {
    deployment,
    pool,
    arweave: createGateways([deployment.gatewayUrl]),
    checkers,
    earlier: new Set<string>(),
    baselines: new Map<number, number>(),
    bundles: new Map<string, readonly string[]>(),
    async end(keepLogs: boolean) {
      await Promise.all([pool.end(), checkers.close()]);
      await deployment.remove({ keepLogs });
    },
  };
  await deployment.start().catch(async (error: Error) => {
    await state.end(true);
    throw error;
  });
  return state;
}

interface Happened {
  readonly name: string;
  readonly detail: string;
}

async function runRound(
  state: RunState,
  round: number,
  random: Random,
  { layout, disturbances }: PlannedRound,
): Promise<{ readonly report: RoundReport; readonly happened: readonly Happened[]; readonly isReady: boolean }> {
  const begun = performance.now();
  const { deployment } = state;
  const problems: { invariant: string; sentence: string }[] = [];
  const client = createClient(deployment.instituteKeys, toProcesses(deployment, round, random));

  const [requests, exchange] = await Promise.all([prepareEveryOperation(client), submitRecords(client, random)]).catch(
    (error: Error) => {
      problems.push({
        invariant: 'the load can be prepared while nothing is disturbed',
        sentence: String(error.stack),
      });
      return [[], null] as const;
    },
  );
  let over = false;
  const isOver = () => over;
  const background = Promise.all([
    probeLimit(isOver, deployment, `192.0.2.${round % 250}`, random),
    exchange ? exportUntil(isOver, client, exchange) : 0,
    writeUntil(isOver, client, random),
  ]);
  background.catch(() => undefined);
  const loadBegun = performance.now();
  const happened: Happened[] = [];
  await Promise.all([
    sendSpread(client, requests, LOAD_MS, random),
    disturb(deployment, disturbances, random, happened),
  ]);
  over = true;
  const isReady = await deployment.start().then(
    () => true,
    (error: Error) => {
      problems.push({ invariant: READY, sentence: error.message });
      return false;
    },
  );
  const [probe, exports] = await background.catch((error: Error) => {
    problems.push({ invariant: 'the load runs', sentence: String(error.stack) });
    return [{ allowed: 0, refused: 0, failed: 0 }, 0] as const;
  });

  const loadSeconds = (performance.now() - loadBegun) / 1000;
  const operations = [...client.sent];
  const count = (outcome: SentOperation['outcome']) =>
    operations.filter((operation) => operation.outcome === outcome).length;
  const counts = {
    sent: operations.length,
    acknowledged: count('accepted'),
    unknown: count('unknown'),
    refused: count('refused'),
  };
  const found = isReady ? await resendOpen(state.pool, client, operations) : 0;

  const during = disturbances.filter(({ name }) => happened.some((one) => one.name === name));
  const memory = { usedBytes: 0, grownBytes: 0 };
  const outcome = {
    ...state,
    client,
    operations,
    probe,
    exchange,
    loadSeconds,
    limitLosses: during.filter(({ affectsLimits }) => affectsLimits).length,
    timeAffected: during.some(({ affectsTime }) => affectsTime),
    memory,
  };
  for (const { name, check } of isReady ? INVARIANTS : []) {
    const sentences = await check(outcome).catch((error: Error) => [`could not be checked: ${error.stack ?? error}`]);
    for (const sentence of sentences) problems.push({ invariant: name, sentence });
  }
  for (const { transactionId } of operations) if (transactionId !== null) state.earlier.add(transactionId);
  // A breach is reported once.
  if (problems.length > 0 && isReady) for (const id of await ledgerIds(state.pool)) state.earlier.add(id);
  const report: RoundReport = {
    round,
    layout: layoutName(layout),
    disturbances: happened.map(({ name, detail }) => `${name} (${detail})`),
    operations: { ...counts, found },
    exports,
    limit: probe,
    memory,
    problems,
    seconds: (performance.now() - begun) / 1000,
  };
  return { report, happened, isReady };
}

/** Begins each disturbance at a random moment of the load and ends it after a random time; one part at a time. */
async function disturb(
  deployment: Deployment,
  disturbances: PlannedRound['disturbances'],
  random: Random,
  happened: Happened[],
): Promise<void> {
  const parts = new Map<string, Promise<void>>();
  for (const disturbance of disturbances) {
    const at = random.whole(100, 700);
    const lasts = random.whole(200, 1_200);
    const previous = parts.get(disturbance.part) ?? Promise.resolve();
    const run = previous.then(async () => {
      await sleep(at);
      const started: Begun | null = await disturbance.begin(deployment, random);
      if (!started) return;
      happened.push({ name: disturbance.name, detail: started.detail });
      await sleep(lasts);
      // While another disturbance lasts, a process may not start; the start at the end must succeed.
      await started.end().catch(() => undefined);
    });
    parts.set(disturbance.part, run);
  }
  await Promise.all(parts.values());
}

/** Sends what was not acknowledged again. Returns how many of these operations were in the ledger. */
export async function resendOpen(
  pool: RunState['pool'],
  { repeat }: ReturnType<typeof createClient>,
  operations: readonly SentOperation[],
): Promise<number> {
  const before = new Set(await ledgerIds(pool));
  const open = operations.filter(({ outcome }) => outcome !== 'accepted');
  await Promise.all(open.map((operation) => resend(repeat, operation)));
  await findBySignature(pool, open);
  return open.filter(({ transactionId }) => before.has(transactionId ?? '')).length;
}

/** Sends an operation again until a response reports its entry or a rule. */
async function resend(repeat: (operation: SentOperation) => Promise<unknown>, operation: SentOperation): Promise<void> {
  for (let attempt = 0; attempt < RESEND_ATTEMPTS; attempt++) {
    await repeat(operation);
    if (operation.outcome === 'accepted') return;
    // A process measures its clock every second.
    if (operation.outcome === 'refused' && (!isRefusedForTime(operation) || attempt === TIME_ATTEMPTS)) return;
    await sleep(250);
  }
}

/**
 * Sent again, an operation that ended the right of its key is refused before its nonce is looked up: the entity is
 * destroyed (410), has another key (401), or the guardian has none (404). So is one whose time is over. Its entry has its signature.
 */
async function findBySignature(pool: RunState['pool'], operations: readonly SentOperation[]): Promise<void> {
  const refused = operations.filter(
    (operation) =>
      operation.outcome === 'refused' && (/^(?:401|404|410) /.test(operation.last) || isRefusedForTime(operation)),
  );
  if (refused.length === 0) return;
  const { rows } = await pool.query<{ id: string; item: Buffer }>('SELECT id, item FROM ledger_entries');
  for (const { id, item } of rows) {
    const { entry } = openReceipt(item.toString('base64'));
    if (!('signature' in entry) || entry.signature === null) continue;
    const operation = refused.find(({ signature }) => signature === entry.signature);
    if (!operation) continue;
    operation.transactionId = id;
    operation.outcome = 'accepted';
  }
}
