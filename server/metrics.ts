import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  answered(route: string, method: string, status: number, seconds: number): void;
  accepted(operation: string): void;
  refused(code: string): void;
  /** `read` runs on every scrape. */
  observeStorage(limit: number, read: () => Promise<number>): void;
  observeBacklog(read: () => Promise<{ entries: number; oldestSeconds: number | null }>): void;
}

/** The metrics of this process in the Prometheus format. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'perpetua_' });
  const registers = [registry];
  const duration = new Histogram({
    name: 'perpetua_http_request_seconds',
    help: 'Time from the request line to the end of the answer, by route pattern',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const accepted = new Counter({
    name: 'perpetua_operations_accepted_total',
    help: 'Operations that got their place in the ledger',
    labelNames: ['operation'],
    registers,
  });
  const refused = new Counter({
    name: 'perpetua_requests_refused_total',
    help: 'Requests answered with an error, by its code',
    labelNames: ['code'],
    registers,
  });
  return {
    registry,
    answered: (route, method, status, seconds) => duration.labels(route, method, String(status)).observe(seconds),
    accepted: (operation) => accepted.inc({ operation }),
    refused: (code) => refused.inc({ code }),
    observeStorage(limit, read) {
      new Gauge({
        name: 'perpetua_stored_bytes',
        help: 'Bytes of records and sealed messages in the vault, which stay until their owner is destroyed',
        registers,
        async collect() {
          this.set(await read().catch(() => Number.NaN));
        },
      });
      new Gauge({ name: 'perpetua_stored_bytes_limit', help: 'MAX_STORED_BYTES', registers }).set(limit);
    },
    observeBacklog(read) {
      const oldest = new Gauge({
        name: 'perpetua_backlog_oldest_seconds',
        help: 'Age of the oldest accepted operation that the network does not have yet',
        registers,
      });
      new Gauge({
        name: 'perpetua_backlog_entries',
        help: 'Accepted operations that the network does not have yet',
        registers,
        async collect() {
          const backlog = await read().catch(() => null);
          this.set(backlog?.entries ?? Number.NaN);
          oldest.set(backlog ? (backlog.oldestSeconds ?? 0) : Number.NaN);
        },
      });
    },
  };
}
