import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ledgerIdOf } from '../../../protocol/ids.ts';
import { startCheckers } from '../../audit/checkers.ts';
import { signingKeyOf } from '../../crypto/signed-request.ts';
import { createPool, LONG_RUNNING } from '../../db/pool.ts';
import { openReceipt } from '../../ledger/test-chain.ts';
import { createArweaveClient } from '../../network/arweave-client.ts';
import { createDeployment, type Deployment } from './deployment.ts';
import { type Begun, DISTURBANCES, type Disturbance } from './disturbances.ts';
import { INVARIANTS } from './invariants.ts';
import { exportUntil, prepareEveryOperation, probeLimit, sendSpread, submitRecords, writeUntil } from './load.ts';
import { createClient, type SentOperation } from './operations.ts';
import { createRandom, type Random } from './random.ts';

export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** The number of the first round, to repeat one of an earlier run. */
  readonly first?: number;
  /** The folder with the built programs. */
  readonly programs: string;
  readonly onRound?: (round: RoundReport) => void;
  /** Whether to stop after the current round. */
  readonly isStopping?: () => boolean;
}

export interface RoundReport {
  readonly round: number;
  readonly processes: number;
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
  readonly problems: readonly { readonly invariant: string; readonly sentence: string }[];
  readonly seconds: number;
}

export interface ChaosReport {
  readonly seed: number;
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

const LOAD_MS = 1_500;
const RESEND_ATTEMPTS = 60;

/** Runs rounds of load and disturbances against a deployment of its own, and checks the invariants after each. */
export async function runChaos({
  rounds,
  seed,
  first = 1,
  programs,
  onRound,
  isStopping,
}: ChaosOptions): Promise<ChaosReport> {
  const begun = performance.now();
  const deployment = await createDeployment(programs);
  const pool = createPool(deployment.database.url(deployment.database.port), 2, () => undefined, LONG_RUNNING);
  const relayerKey = signingKeyOf(deployment.secrets['the key of the relayer'] ?? '').publicKey;
  const checkers = startCheckers(
    { relayerKey, ledgerId: ledgerIdOf(relayerKey), suffix: 'bsp' },
    { file: pathToFileURL(join(programs, 'check.worker.js')) },
  );
  const arweave = createArweaveClient({ gatewayUrl: deployment.gatewayUrl });
  const state: RunState = { deployment, pool, arweave, checkers, earlier: new Set(), baselines: new Map() };
  const reports: RoundReport[] = [];
  const happened = Object.fromEntries(DISTURBANCES.map(({ name }) => [name, 0]));
  try {
    await deployment.start(deployment.processes);
    // Each disturbance comes once before any comes again, in an order that the seed decides.
    const order = disturbanceOrder(deployment, seed);
    for (let round = first; round < first + rounds && !isStopping?.(); round++) {
      const report = await runRound(state, round, createRandom(seed, round), order(round));
      for (const { name } of report.happened) happened[name] = (happened[name] ?? 0) + 1;
      reports.push(report.report);
      onRound?.(report.report);
    }
    const broken = reports.some(({ problems }) => problems.length > 0);
    return {
      seed,
      rounds: reports,
      invariants: INVARIANTS.map(({ name }) => name),
      disturbances: happened,
      missing: deployment.missing,
      entries: state.earlier.size,
      seconds: (performance.now() - begun) / 1000,
      logs: broken ? (deployment.logs[0] ?? null) : null,
    };
  } finally {
    await Promise.all([pool.end(), checkers.close()]);
    await deployment.remove({
      keepLogs: reports.length === 0 || reports.some(({ problems }) => problems.length > 0),
    });
  }
}

interface RunState {
  readonly deployment: Deployment;
  readonly pool: ReturnType<typeof createPool>;
  readonly arweave: ReturnType<typeof createArweaveClient>;
  readonly checkers: ReturnType<typeof startCheckers>;
  readonly earlier: Set<string>;
  readonly baselines: Map<string, number>;
}

const PER_ROUND = 3;

/** The disturbances of a round: the possible ones in seeded orders, one after another, three a round. */
function disturbanceOrder(deployment: Deployment, seed: number): (round: number) => readonly Disturbance[] {
  const possible = DISTURBANCES.filter((disturbance) => disturbance.isPossible(deployment));
  return (round) => {
    const chosen: Disturbance[] = [];
    for (let index = (round - 1) * PER_ROUND; chosen.length < PER_ROUND; index++) {
      const cycle = createRandom(seed, -1 - Math.floor(index / possible.length)).shuffled(possible);
      const next = cycle[index % possible.length];
      if (next) chosen.push(next);
    }
    return chosen;
  };
}

interface Happened {
  readonly name: string;
  readonly detail: string;
}

async function runRound(
  state: RunState,
  round: number,
  random: Random,
  disturbances: readonly Disturbance[],
): Promise<{ readonly report: RoundReport; readonly happened: readonly Happened[] }> {
  const begun = performance.now();
  const { deployment } = state;
  const processes = random.whole(2, deployment.processes.length);
  const problems: { invariant: string; sentence: string }[] = [];
  const serving = { ...deployment, processes: deployment.processes.slice(0, processes) };
  for (const { child } of deployment.processes.slice(processes)) await child.signal('SIGTERM');
  await deployment.start(serving.processes);
  const client = createClient(serving, round, random);

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
    probeLimit(isOver, serving, `192.0.2.${round % 250}`, random),
    exchange ? exportUntil(isOver, client, exchange) : 0,
    writeUntil(isOver, client, random),
  ]);
  const loadBegun = performance.now();
  const happened: Happened[] = [];
  const disturbing = disturb(serving, disturbances, random, happened);
  background.catch(() => undefined);
  await Promise.all([sendSpread(client, requests, LOAD_MS, random), disturbing]);
  over = true;
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
  const before = new Set(
    (await state.pool.query<{ id: string }>('SELECT id FROM ledger_entries')).rows.map(({ id }) => id),
  );
  const open = operations.filter(({ outcome }) => outcome !== 'accepted');
  await Promise.all(open.map((operation) => resend(client.repeat, operation)));
  await findDestructions(state.pool, open);
  const found = open.filter(({ transactionId }) => before.has(transactionId ?? '')).length;

  const during = disturbances.filter(({ name }) => happened.some((one) => one.name === name));
  const outcome = {
    ...state,
    deployment: serving,
    client,
    operations,
    probe,
    exchange,
    loadSeconds,
    limitsAffected: during.some(({ affectsLimits }) => affectsLimits),
    timeAffected: during.some(({ affectsTime }) => affectsTime),
  };
  for (const { name, check } of INVARIANTS) {
    const sentences = await check(outcome).catch((error: Error) => [`could not be checked: ${error.stack ?? error}`]);
    for (const sentence of sentences) problems.push({ invariant: name, sentence });
  }
  for (const { transactionId } of operations) if (transactionId !== null) state.earlier.add(transactionId);
  const report: RoundReport = {
    round,
    processes,
    disturbances: happened.map(({ name, detail }) => `${name} (${detail})`),
    operations: { ...counts, found },
    exports,
    limit: probe,
    problems,
    seconds: (performance.now() - begun) / 1000,
  };
  return { report, happened };
}

/** Begins each disturbance at a random moment of the load and ends it after a random time; one part at a time. */
async function disturb(
  deployment: Deployment,
  disturbances: readonly Disturbance[],
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
      // While another disturbance lasts, a process may not start; the start below must succeed.
      await started.end().catch(() => undefined);
    });
    parts.set(disturbance.part, run);
  }
  await Promise.all(parts.values());
  await deployment.start(deployment.processes);
}

/** Sends an operation again until a response reports its entry or a rule. */
async function resend(repeat: (operation: SentOperation) => Promise<unknown>, operation: SentOperation): Promise<void> {
  for (let attempt = 0; attempt < RESEND_ATTEMPTS; attempt++) {
    await repeat(operation);
    if (operation.outcome !== 'unknown') return;
    await sleep(250);
  }
}

/** Sent again, an operation that destroyed its own signer gets 410 without the id. Its entry has its signature. */
async function findDestructions(pool: RunState['pool'], operations: readonly SentOperation[]): Promise<void> {
  const refused = operations.filter(({ outcome, last }) => outcome === 'refused' && last.startsWith('410 '));
  if (refused.length === 0) return;
  const { rows } = await pool.query<{ id: string; item: Buffer }>(
    "SELECT id, item FROM ledger_entries WHERE function LIKE 'destroy%'",
  );
  for (const { id, item } of rows) {
    const { entry } = openReceipt(item.toString('base64'));
    if (!('signature' in entry) || entry.signature === null) continue;
    const operation = refused.find(({ signature }) => signature === entry.signature);
    if (!operation) continue;
    operation.transactionId = id;
    operation.outcome = 'accepted';
  }
}
