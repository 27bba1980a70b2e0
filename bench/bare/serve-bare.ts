import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const POOL_SIZE = 8;

/** What the process of a bare loop tells the bench once it listens. */
export interface BareReady {
  readonly port: number;
}

/** Runs a bare loop as a process of its own, on a free port and on the database named in its first argument. */
export async function serveBare(create: (pool: pg.Pool) => Server): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.argv[2], max: POOL_SIZE, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  const server = create(pool).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => undefined);
  process.send?.({ port: (server.address() as AddressInfo).port } satisfies BareReady);
}
