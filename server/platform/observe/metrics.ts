import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { registryOf } from '../process/metrics-snapshot.ts';
import type { ParentProcess } from '../process/parent-process.ts';

/** What this process counts and measures. The gauges that are read on every scrape are in scraped-metrics.ts. */
export interface Metrics {
  /** What is measured in each process. */
  readonly registry: Registry;
  /** Gauges that are the same in every process of one database. */
  readonly shared: Registry;
  /** Everything, in the Prometheus format: of this process, or of all processes of its parent. */
  text(): Promise<string>;
  answered(route: string, method: string, status: number, seconds: number): void;
  accepted(operation: string): void;
  refused(code: string): void;
  /** One public read: `primary`, or the name of a standby. */
  read(target: string): void;
  /** One batch of the write queue; each `queueSeconds` is the wait of one operation. */
  committed(batch: { readonly queueSeconds: readonly number[]; readonly seconds: number }): void;
  /** The wait for the row lock of the ledger's head, one round trip included. */
  headLocked(seconds: number): void;
  /** A bundle that was signed and posted; `delaySeconds` is the wait of its oldest entry. */
  posted(bundle: { readonly operations: number; readonly delaySeconds: number }): void;
  /** One charge of the rate limiter. */
  charged(group: string, outcome: 'allowed' | 'refused' | 'unavailable'): void;
  /** The end of one attempt to send a mail. */
  mailed(outcome: string): void;
  /** The outcome of one request to a webhook. */
  webhookAnswered(outcome: 'delivered' | 'failed'): void;
}

const SHORT = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const BATCH = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const MINUTES = [1, 5, 15, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400];

/** Each sample wakes an idle process. The reported lag includes this interval. */
const LAG_SAMPLING_MS = 1_000;

/** The error codes that deploy/prometheus/alerts.yml names. */
const ALERTED: readonly ErrorCode[] = ['INTERNAL', 'INTEGRITY_FAILED'];

/** @param parent the parent that this process shares with other serving processes, if there are several */
export function createMetrics(parent?: Pick<ParentProcess, 'metrics'>): Metrics {
  const registry = new Registry();
  const shared = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'perpetua_', eventLoopMonitoringPrecision: LAG_SAMPLING_MS });
  const registers = [registry];
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `perpetua_${name}`, help, buckets, registers });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name: `perpetua_${name}`, help, labelNames, registers });

  const duration = new Histogram({
    name: 'perpetua_http_request_seconds',
    help: 'Time from the request line to the end of the answer, by route pattern',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const accepted = counter('operations_accepted_total', 'Operations that got their place in the ledger', 'operation');
  const refused = counter('requests_refused_total', 'Requests answered with an error, by its code', 'code');
  // A series that begins at 1 shows no increase.
  for (const code of ALERTED) refused.inc({ code }, 0);
  const batchSize = histogram('batch_operations', 'Operations of one batch, refused ones included', BATCH);
  const batchSeconds = histogram('batch_seconds', 'Time to lock, decide and commit a batch, retries included', SHORT);
  const queueSeconds = histogram('queue_wait_seconds', 'Time of an operation in the queue before its batch', SHORT);
  const lockSeconds = histogram(
    'head_lock_wait_seconds',
    'Wait for the lock of the head, one round trip included',
    SHORT,
  );
  const delay = histogram('posting_delay_seconds', 'Time from the acceptance of an entry to its post', MINUTES);
  const posted = counter('operations_posted_total', 'Operations in bundles that were signed and posted');
  const charges = counter('rate_limit_charges_total', 'Charges of the rate limiter, by group', 'group', 'outcome');
  const mails = counter('mail_attempts_total', 'Attempts to send a mail, by how they ended', 'outcome');
  const reads = counter('public_reads_total', 'Public reads, by the database server that answered', 'target');
  const requests = counter('webhook_requests_total', 'Events sent to webhooks, by whether they were taken', 'outcome');
  return {
    registry,
    shared,
    async text() {
      const ofProcesses = parent ? registryOf([await parent.metrics()]) : registry;
      return (await Promise.all([ofProcesses.metrics(), shared.metrics()])).join('\n');
    },
    answered: (route, method, status, seconds) => duration.labels(route, method, String(status)).observe(seconds),
    accepted: (operation) => accepted.inc({ operation }),
    read: (target) => reads.inc({ target }),
    refused: (code) => refused.inc({ code }),
    committed(batch) {
      batchSize.observe(batch.queueSeconds.length);
      batchSeconds.observe(batch.seconds);
      for (const seconds of batch.queueSeconds) queueSeconds.observe(seconds);
    },
    headLocked: (seconds) => lockSeconds.observe(seconds),
    posted({ operations, delaySeconds }) {
      posted.inc(operations);
      delay.observe(delaySeconds);
    },
    charged: (group, outcome) => charges.inc({ group, outcome }),
    mailed: (outcome) => mails.inc({ outcome }),
    webhookAnswered: (outcome) => requests.inc({ outcome }),
  };
}
