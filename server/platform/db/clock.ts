import type { ClientBase } from 'pg';

/**
 * The database's clock decides whether a request is timely (protocol §1). This is a clock of the machine plus the measured
 * offset.
 */
export interface Clock {
  /** Milliseconds since 1970 by the database's clock, as last measured. */
  now(): number;
  /** Sets the offset from the database's current time, in ms since 1970. */
  observe(databaseNow: number): void;
  /** Reads the database's current time. */
  synchronise(database: Pick<ClientBase, 'query'>): Promise<void>;
}

/** A step of the machine's time does not move it, so none expires a nonce too early before the next measurement. */
const monotonicNow = (): number => performance.now();

/** `shiftMs` moves the service and its ledger in time, for tests. */
export function createClock(machineNow: () => number = monotonicNow, shiftMs: () => number = () => 0): Clock {
  let offset = 0;
  function observe(databaseNow: number): void {
    offset = databaseNow - machineNow();
  }
  return {
    now: () => Math.floor(machineNow() + offset + shiftMs()),
    observe,
    async synchronise(database) {
      const { rows } = await database.query<{ ms: number }>(DATABASE_NOW);
      if (rows[0]) observe(rows[0].ms);
    },
  };
}

/** Milliseconds since 1970 at the moment it is evaluated, as a SQL expression. */
export const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const DATABASE_NOW = { name: 'database-now', text: `SELECT ${NOW_MS} AS ms` };
