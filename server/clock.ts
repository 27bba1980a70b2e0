import type { Pool } from 'pg';

/** The time of the database, which decides whether a request is timely (protocol §1): this machine's, plus what it is off. */
export interface Clock {
  /** Milliseconds since 1970 by the database's clock, as far as it is known here. */
  now(): number;
  /** Takes over a reading of the database's clock. */
  observe(databaseMs: number): void;
  /** Asks the database. */
  synchronise(pool: Pick<Pool, 'query'>): Promise<void>;
}

/** `shiftMs` moves the whole service in time, the ledger included: for tests of what time brings about. */
export function createClock(machineNow: () => number = Date.now, shiftMs: () => number = () => 0): Clock {
  let offset = 0;
  const observe = (databaseMs: number) => {
    offset = databaseMs - machineNow();
  };
  return {
    now: () => Math.floor(machineNow() + offset + shiftMs()),
    observe,
    async synchronise(pool) {
      const { rows } = await pool.query<{ ms: number }>(DATABASE_NOW);
      if (rows[0]) observe(rows[0].ms);
    },
  };
}

const DATABASE_NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms';
