import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { auditLedger } from '../../auditor/audit/audit.ts';
import { openStateFile, temporaryStateFolder } from '../../auditor/audit/audit-state-file.ts';
import type { Checkers } from '../../auditor/audit/checkers.ts';
import { compareEntries, compareWithDatabase } from '../../auditor/audit/compare-database.ts';
import { createReplayedState } from '../../auditor/audit/replayed-state.ts';
import { findingLines } from '../../auditor/audit/report.ts';
import { LIMIT_GROUPS, LIMIT_WINDOW_SECONDS } from '../../server/http/limits/groups.ts';
import { readNetwork } from '../../server/ledger/test-network.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import type { Exchange, Probe } from './chaos-load.ts';
import { isSame } from './chaos-load.ts';
import type { Deployment } from './deployment.ts';
import { type Client, isRefusedForTime, type SentOperation } from './operations.ts';
import type { UsedMemory } from './serving.child.ts';

/** What was sent, and where the ledger is. */
export interface LedgerOutcome {
  readonly deployment: Pick<Deployment, 'walletAddress'>;
  readonly pool: Pool;
  readonly arweave: ArweaveClient;
  readonly checkers: Checkers;
  /** Ids of the operations of earlier rounds. */
  readonly earlier: ReadonlySet<string>;
  readonly operations: readonly SentOperation[];
  readonly timeAffected: boolean;
  /** The ids of the items of bundles that were read, by transaction. */
  readonly bundles: Map<string, readonly string[]>;
}

/** What is checked after a round. */
export interface Outcome extends LedgerOutcome {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly probe: Probe;
  /** How long the address of the probe sent requests. */
  readonly loadSeconds: number;
  /** How often the counters of the rate limits were lost or moved in time. */
  readonly limitLosses: number;
  /** Null if it could not be prepared. */
  readonly exchange: Exchange | null;
  /** The memory of each process after its first round, by process id. */
  readonly baselines: Map<number, number>;
  /** Filled in by the check of the memory. */
  readonly memory: { usedBytes: number; grownBytes: number };
}

export interface Invariant<Checked = Outcome> {
  readonly name: string;
  /** Sentences about what is wrong; none if it holds. */
  check(outcome: Checked): Promise<readonly string[]>;
}

const MAX_DELAY_MS = 86_400_000;
const SETTLE_MS = 90_000;
const EXPORT_MS = 10_000;
/** Growth of a process's memory that garbage collection and caches explain. */
const MEMORY_SLACK_BYTES = 24 * 1024 * 1024;
/** Connections of one process over all its pools. */
const MAX_CONNECTIONS = 24;

const describe = ({ method, path, last, ids }: SentOperation): string =>
  `${method} ${path.slice(0, 60)} (${last}${ids.size > 0 ? `, ${[...ids].join(' ')}` : ''})`;

export async function ledgerIds(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM ledger_entries ORDER BY seq');
  return rows.map(({ id }) => id);
}

/** The elements that are not in `others`, or that occur more than once. */
function surplus(elements: readonly string[], others: ReadonlySet<string>): string[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const repeated = seen.has(element);
    seen.add(element);
    return repeated || !others.has(element);
  });
}

/** Those of the ledger, whatever serves it. */
export const LEDGER_INVARIANTS: readonly Invariant<LedgerOutcome>[] = [
  {
    name: 'an acknowledged operation is in the database once',
    async check({ pool, operations, earlier }) {
      const stored = new Set(await ledgerIds(pool));
      const accepted = operations.filter(({ transactionId }) => transactionId !== null);
      const lost = accepted.filter(({ transactionId }) => !stored.has(transactionId ?? ''));
      const lostEarlier = [...earlier].filter((id) => !stored.has(id));
      return [
        ...lost.map((operation) => `lost: ${describe(operation)}`),
        ...lostEarlier.map((id) => `lost from an earlier round: ${id}`),
        ...operations.filter(({ ids }) => ids.size > 1).map((operation) => `two receipts: ${describe(operation)}`),
      ];
    },
  },
  {
    name: 'nothing exists that was not accepted',
    async check({ pool, operations, earlier }) {
      const known = new Set(earlier);
      for (const { transactionId } of operations) if (transactionId !== null) known.add(transactionId);
      const shared = surplus(
        operations.flatMap(({ transactionId }) => transactionId ?? []),
        known,
      );
      return [
        ...surplus(await ledgerIds(pool), known).map((id) => `the ledger has an entry that no request explains: ${id}`),
        ...shared.map((id) => `two requests received the receipt of one entry: ${id}`),
      ];
    },
  },
  {
    name: 'an operation without a response gets its receipt, or is accepted, when sent again',
    async check({ operations, timeAffected }) {
      return operations
        .filter((operation) => {
          if (operation.outcome === 'unknown') return true;
          // Every request is valid, so only a wrong clock explains a refusal.
          return operation.outcome === 'refused' && !(timeAffected && isRefusedForTime(operation));
        })
        .map(describe);
    },
  },
  {
    name: 'every operation is on the network once and in order',
    async check({ pool, arweave, deployment, bundles }) {
      const deadline = Date.now() + SETTLE_MS;
      for (;;) {
        const isLate = Date.now() > deadline;
        if (!isLate && !(await isSettled(pool))) {
          await sleep(100);
          continue;
        }
        const [{ items }, stored] = await Promise.all([
          readNetwork(arweave, deployment.walletAddress, bundles),
          ledgerIds(pool),
        ]);
        const different = stored.findIndex((id, index) => items[index] !== id);
        if (different === -1 && items.length === stored.length) return [];
        if (isLate) {
          return [
            `the network has ${items.length} entries and the database ${stored.length} after ${SETTLE_MS / 1000} seconds; they differ from entry ${different + 1} on`,
          ];
        }
        // A bundle that a reorganisation removed is posted again once the service has noticed it.
        await sleep(100);
      }
    },
  },
  {
    name: 'the chain, its replay and the database match (npm run verify)',
    async check({ pool, arweave, checkers, deployment }) {
      const stateFile = openStateFile(temporaryStateFolder());
      try {
        const audit = await auditLedger({
          client: arweave,
          wallet: deployment.walletAddress,
          checkers,
          state: createReplayedState(stateFile),
          maxDelayMs: MAX_DELAY_MS,
          onBundle: (_, placed, findings) => compareEntries(pool, placed, findings),
        });
        await compareWithDatabase(pool, audit, { client: arweave, maxDelayMs: MAX_DELAY_MS });
        return [
          ...(audit.findings.total > 0 ? findingLines(audit.findings) : []),
          ...(audit.complete ? [] : ['the ledger on the network is not complete']),
          ...audit.paidTwice.map((id) => `the bundle ${id} was paid twice`),
        ];
      } finally {
        stateFile.close();
      }
    },
  },
];

export const INVARIANTS: readonly Invariant[] = [
  ...LEDGER_INVARIANTS,
  {
    name: 'acknowledged records are exported completely',
    async check({ exchange }) {
      if (!exchange) return [];
      const deadline = Date.now() + EXPORT_MS;
      let values = await exchange.exported();
      while (!values && Date.now() < deadline) {
        await sleep(250);
        values = await exchange.exported();
      }
      return values && isSame(values, exchange.values)
        ? []
        : [`${values?.length ?? 'no'} of ${exchange.values.length} records`];
    },
  },
  {
    name: 'no unexpected response during the round',
    check: async ({ client }) => client.oddities.map(({ kind, text }) => `${kind}: ${text.slice(0, 300)}`),
  },
  {
    name: 'a rate limit is exceeded by at most one window',
    async check({ deployment, probe, loadSeconds, limitLosses }) {
      if (!deployment.hasLimits) return [];
      const { limit } = LIMIT_GROUPS.relayer;
      const windows = 1 + Math.floor(loadSeconds / LIMIT_WINDOW_SECONDS) + limitLosses;
      const most = windows * limit;
      return probe.allowed > most ? [`${probe.allowed} requests were allowed instead of ${most}`] : [];
    },
  },
  {
    name: 'no secret is in a log',
    async check({ deployment, client, exchange }) {
      const secrets = [
        ...Object.entries(deployment.secrets),
        ...[...client.linkTokens].map((token) => ['a token of a link', token] as const),
        ...(exchange?.values ?? []).map((value) => ['the value of a record', String(value)] as const),
        ['the contact of a guardian', 'primary@example.org'] as const,
      ];
      return logsOf(deployment).flatMap(({ file, text }) =>
        secrets.filter(([, secret]) => text.includes(secret)).map(([name]) => `${file} contains ${name}`),
      );
    },
  },
  {
    name: 'memory and connections return to their baseline',
    async check({ deployment, pool, baselines, memory }) {
      const problems: string[] = [];
      for (const { child } of deployment.processes) {
        const processes = await child.ask<readonly UsedMemory[]>('memory');
        if (!processes) problems.push(`${child.name} did not report its memory`);
        for (const { pid, bytes } of processes ?? []) {
          // The first round after a start fills caches and compiles the code.
          const baseline = baselines.get(pid) ?? bytes;
          baselines.set(pid, baseline);
          memory.usedBytes = Math.max(memory.usedBytes, bytes);
          memory.grownBytes = Math.max(memory.grownBytes, bytes - baseline);
          if (bytes > baseline + MEMORY_SLACK_BYTES) {
            problems.push(
              `process ${pid} of ${child.name} uses ${megabytes(bytes)} MB, ${megabytes(baseline)} MB after its first round`,
            );
          }
        }
      }
      const { rows } = await pool.query<{ open: number; stuck: number }>(
        `SELECT count(*)::int AS open,
           count(*) FILTER (WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '6 seconds')::int AS stuck
         FROM pg_stat_activity WHERE application_name = 'perpetua' AND pid <> pg_backend_pid()`,
      );
      const most = MAX_CONNECTIONS * deployment.processes.length * deployment.children;
      const { open = 0, stuck = 0 } = rows[0] ?? {};
      if (open > most) problems.push(`${open} connections are open instead of at most ${most}`);
      if (stuck > 0) problems.push(`${stuck} connections are idle in a transaction`);
      return problems;
    },
  },
];

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

/** Whether every entry is mined, as far as the service knows. */
async function isSettled(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: number }>(
    `SELECT (h.seq - coalesce((SELECT max(last_seq) FROM bundles WHERE status IN ('CONFIRMED', 'FINAL')), 0))::int
       + (SELECT count(*) FROM bundles WHERE status NOT IN ('CONFIRMED', 'FINAL') OR (status <> 'FINAL' AND lacks_data_since IS NOT NULL))::int AS waiting FROM ledger_head h`,
  );
  return rows[0]?.waiting === 0;
}

/** What was read of each log, so that a round reads only what is new. */
const read = new Map<string, number>();
/** A secret may lie across the end of what was read. */
const OVERLAP = 4_096;

function logsOf({ logs }: Deployment): { readonly file: string; readonly text: string }[] {
  return logs.flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const file = join(folder, name);
      const from = Math.max(0, (read.get(file) ?? 0) - OVERLAP);
      const { size } = statSync(file);
      const content = readFileSync(file);
      read.set(file, size);
      return { file: name, text: content.toString('utf8', from < size ? from : 0) };
    }),
  );
}
