import type { ClientBase } from 'pg';

/** The time of the database, which decides whether a request is timely (protocol §1): this machine's, plus what it is off. */
export interface Clock {
  /** Milliseconds since 1970 by the database's clock, as far as it is known here. */
  now(): number;
  /** Asks the database, over a connection that may be in a transaction. */
  synchronise(database: Pick<ClientBase, 'query'>): Promise<void>;
}

/** `shiftMs` moves the whole service in time, the ledger included: for tests of what time brings about. */
export function createClock(machineNow: () => number = Date.now, shiftMs: () => number = () => 0): Clock {
  let offset = 0;
  return {
    now: () => Math.floor(machineNow() + offset + shiftMs()),
    async synchronise(database) {
      const { rows } = await database.query<{ ms: number }>(DATABASE_NOW);
      if (rows[0]) offset = rows[0].ms - machineNow();
    },
  };
}

const DATABASE_NOW = {
  name: 'database-now',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
};
