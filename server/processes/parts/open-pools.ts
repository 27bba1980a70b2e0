import type { Pool } from 'pg';
import { POOL_SIZES } from '../../platform/db/connections.ts';
import { createPool } from '../../platform/db/pool.ts';
import type { Closing } from '../../platform/process/closing.ts';
import type { ServiceParts } from '../service.ts';

/** Lists are public, and none needs longer. */
const LIST_STATEMENT_MS = 1_000;
/** A process that hangs, or whose connection is dead, must not lock the ledger's head for longer than this. */
const IDLE_IN_TRANSACTION_MS = 5_000;

/** The connections to the database, which are made when they are needed. */
export interface Pools {
  readonly pool: Pool;
  /** For writes. */
  readonly reservePool: Pool;
  /** For pages of records. */
  readonly recordPool: Pool;
  /** For public lists. */
  readonly listPool: Pool;
  readonly onLost: (error: Error) => void;
  /** Calls back when a connection to the ledger is lost; for one listener. */
  whenLost(listener: () => void): void;
}

export function openPools({ databaseUrl, databaseWaitMs, log }: ServiceParts, closing: Closing): Pools {
  let listener = (): void => undefined;
  const onLost = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost');
  const onWriteConnectionLost = (error: Error) => {
    onLost(error);
    listener();
  };
  const waits = { connectMs: databaseWaitMs };
  const writes = { ...waits, idleInTransactionMs: databaseWaitMs ?? IDLE_IN_TRANSACTION_MS, planOnce: true };
  const lists = { ...waits, statementMs: databaseWaitMs ?? LIST_STATEMENT_MS };
  const pools = {
    pool: createPool(databaseUrl, POOL_SIZES.writes, onWriteConnectionLost, writes),
    reservePool: createPool(databaseUrl, POOL_SIZES.reserve, onWriteConnectionLost, writes),
    recordPool: createPool(databaseUrl, POOL_SIZES.records, onLost, { ...waits, inOrder: true }),
    listPool: createPool(databaseUrl, POOL_SIZES.lists, onLost, lists),
  };
  closing.add('the connections to the database', () => Promise.all(Object.values(pools).map((pool) => pool.end())));
  return {
    ...pools,
    onLost,
    whenLost: (other) => {
      listener = other;
    },
  };
}
