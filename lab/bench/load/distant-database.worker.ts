import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A proxy to a database that delivers its responses late. It sends where it listens, then what a round trip takes. */
export interface DistantDatabase {
  readonly url: string;
  /** Median of a SELECT 1, without load. */
  readonly roundTripMs: number;
}

/** Timers of Node have whole milliseconds, so only one direction is delayed. */
const DELAY_MS = 1;
const ROUND_TRIPS = 201;

const [databaseUrl = ''] = process.argv.slice(2);
const { host, port } = new pg.Client({ connectionString: databaseUrl });
const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };

const server = createServer((client) => {
  const database = connect(target);
  client.setNoDelay(true);
  client.on('data', (chunk) => database.write(chunk));
  // Timers of the same length fire in the order in which they were set.
  database.on('data', (chunk) => setTimeout(() => client.write(chunk), DELAY_MS));
  const ends: [Socket, Socket][] = [
    [client, database],
    [database, client],
  ];
  for (const [one, other] of ends) one.on('error', () => undefined).on('close', () => other.destroy());
});

async function measureRoundTrip(connectionString: string): Promise<number> {
  const connection = new pg.Client({ connectionString });
  await connection.connect();
  const times: number[] = [];
  while (times.length < ROUND_TRIPS) {
    const begun = performance.now();
    await connection.query('SELECT 1');
    times.push(performance.now() - begun);
  }
  await connection.end();
  return times.toSorted((a, b) => a - b)[(ROUND_TRIPS - 1) / 2] ?? Number.NaN;
}

process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);

server.listen(0, '127.0.0.1', async () => {
  const url = new URL(databaseUrl);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const reply: DistantDatabase = { url: url.href, roundTripMs: await measureRoundTrip(url.href) };
  process.send?.(reply);
});
