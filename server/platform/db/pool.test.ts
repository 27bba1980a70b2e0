import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ProtocolError } from '../../../protocol/errors.ts';
import { freePort } from '../listening/free-port.ts';
import { available, createPool, isConnectionLoss, isoTime, LONG_RUNNING, openFirst } from './pool.ts';
import { freshDatabase } from './test-database.ts';

async function database(max = 3) {
  const fresh = await freshDatabase();
  const lost: Error[] = [];
  const pool = createPool(fresh.url, max, (error) => lost.push(error));
  onTestFinished(async () => {
    await pool.end();
    await fresh.drop();
  });
  return { pool, lost };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test.each([
  ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31 12:00:00.5+00', '2026-01-31T12:00:00.500Z'],
  ['2026-01-31 23:59:59.999999+00', '2026-01-31T23:59:59.999Z'],
  ['12026-01-31 12:00:00+00', '+012026-01-31T12:00:00.000Z'],
  ['2026-01-31 13:00:00.5+01', '2026-01-31T12:00:00.500Z'],
])('the time %s of the database is %s', (text, time) => {
  expect(isoTime(text)).toBe(time);
});

describe('a pool', () => {
  test('reads bigint as number and timestamptz as ISO 8601 in UTC with milliseconds', async () => {
    const { pool } = await database();
    const { rows } = await pool.query(
      `SELECT 9007199254740991::bigint AS big, '2026-01-31 13:00:00.5+01'::timestamptz AS at, NULL::timestamptz AS never,
         '\\x00ff'::bytea AS bytes, 1.5::float8 AS half, '{"a":1}'::jsonb AS json, 12345678901234567890::numeric AS winston`,
    );
    expect(rows).toEqual([
      {
        big: 9007199254740991,
        at: '2026-01-31T12:00:00.500Z',
        never: null,
        bytes: Buffer.from([0, 255]),
        half: 1.5,
        json: { a: 1 },
        winston: '12345678901234567890',
      },
    ]);
  });

  test('pipelines the queries of a connection and returns results in order', async () => {
    const { pool } = await database();
    const client = await pool.connect();
    const queries = ['BEGIN', 'SELECT 1 AS n', 'SELECT 2 AS n', 'COMMIT'].map((text) => client.query(text));
    expect((await Promise.all(queries)).flatMap(({ rows }) => rows)).toEqual([{ n: 1 }, { n: 2 }]);
    client.release();
  });

  test('commits nothing of a transaction in which a statement failed, and rejects the rest', async () => {
    const { pool } = await database();
    await pool.query('CREATE TABLE t (n int PRIMARY KEY)');
    const client = await pool.connect();
    const steps = [
      'BEGIN',
      'INSERT INTO t VALUES (1)',
      'INSERT INTO t VALUES (1)',
      'INSERT INTO t VALUES (2)',
      'COMMIT',
    ];
    const results = await Promise.allSettled(steps.map((text) => client.query(text)));
    expect(results.map(({ status }) => status).slice(0, 4)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    client.release();
    expect((await pool.query('SELECT * FROM t')).rows).toEqual([]);
  });

  test('waits for its first connection longer than for others while the machine is busy, but not for a server that refuses', async () => {
    const fresh = await freshDatabase();
    const target = new URL(fresh.url);
    const port = Number(target.port);
    const sockets: Socket[] = [];
    // Accepts the first connection without an answer, like a server that gets no processor time.
    const busy = createServer((socket) => {
      if (sockets.push(socket) > 1) socket.pipe(connect(port, target.hostname)).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    target.port = String((busy.address() as AddressInfo).port);
    const pool = createPool(target.href, 1, () => undefined, { connectMs: 3_000 });
    await openFirst(pool);
    expect(sockets.length).toBeGreaterThanOrEqual(2);
    await pool.end();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => busy.close(resolve));
    const refused = createPool(target.href, 1, () => undefined);
    expect(await failure(openFirst(refused))).toMatchObject({ code: 'ECONNREFUSED' });
    await refused.end();
    await fresh.drop();
  });

  test('makes the server detect lost and idle clients, so that it releases their locks', async () => {
    const fresh = await freshDatabase();
    const pool = createPool(fresh.url, 1, () => undefined, { idleInTransactionMs: 100 });
    expect((await pool.query('SHOW tcp_keepalives_idle')).rows).toEqual([{ tcp_keepalives_idle: '15' }]);
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    const observer = createPool(fresh.url, 1, () => undefined);
    const remaining = async () =>
      (await observer.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid])).rowCount;
    await expect.poll(remaining).toBe(0);
    await observer.end();
    expect(isConnectionLoss(await failure(client.query('COMMIT')))).toBe(true);
    client.release(true);
    await pool.end();
    await fresh.drop();
  });

  test('makes the server cancel a slow statement instead of only abandoning it', async () => {
    const fresh = await freshDatabase();
    const pool = createPool(fresh.url, 1, () => undefined, { statementMs: 200 });
    const client = await pool.connect();
    const running = failure(client.query('SELECT pg_sleep(60)'));
    const queued = client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(await running).toMatchObject({ code: '57014' });
    expect((await queued).rows).toHaveLength(1);
    client.release();
    expect(await failure(available(() => pool.query('SELECT pg_sleep(60)')))).toMatchObject({ code: 'UNAVAILABLE' });
    await pool.end();
    await fresh.drop();
  });

  test('limits statements to twenty seconds, except for long-running commands', async () => {
    const fresh = await freshDatabase();
    const timeout = async (options: Parameters<typeof createPool>[3]) => {
      const pool = createPool(fresh.url, 1, () => undefined, options);
      const { rows } = await pool.query('SHOW statement_timeout');
      await pool.end();
      return rows[0].statement_timeout;
    };
    expect(await Promise.all([{}, { inOrder: true }, LONG_RUNNING].map(timeout))).toEqual(['20s', '20s', '0']);
    await fresh.drop();
  });

  test('plans a prepared statement at each use, or once where that is asked for', async () => {
    const fresh = await freshDatabase();
    const plansFor = async (planOnce: boolean) => {
      const pool = createPool(fresh.url, 1, () => undefined, { planOnce });
      for (const values of [[1], [1, 2], [3]]) {
        await pool.query({ name: 'read', text: 'SELECT * FROM unnest($1::int[])', values: [values] });
      }
      const { rows } = await pool.query('SELECT generic_plans, custom_plans FROM pg_prepared_statements');
      await pool.end();
      return rows;
    };
    expect(await plansFor(false)).toEqual([{ generic_plans: 0, custom_plans: 3 }]);
    expect(await plansFor(true)).toEqual([{ generic_plans: 3, custom_plans: 0 }]);
    await fresh.drop();
  });

  test('uses an index for a small table, because the plan stays while the table grows', async () => {
    const fresh = await freshDatabase();
    const planOf = async (options: Parameters<typeof createPool>[3]) => {
      const pool = createPool(fresh.url, 1, () => undefined, options);
      const { rows } = await pool.query('EXPLAIN SELECT * FROM small WHERE n = ANY(ARRAY[1, 2])');
      await pool.end();
      return rows.map((row) => row['QUERY PLAN']).join(' ');
    };
    const pool = createPool(fresh.url, 1, () => undefined);
    await pool.query('CREATE TABLE small (n int PRIMARY KEY)');
    await pool.query('INSERT INTO small SELECT generate_series(1, 50)');
    await pool.query('ANALYZE small');
    await pool.end();
    for (const options of [{}, { inOrder: true }]) expect(await planOf(options)).toMatch(/Index/);
    expect(await planOf(LONG_RUNNING)).toMatch(/^Seq Scan/);
    await fresh.drop();
  });

  test('replaces connections that the server closed', async () => {
    const { pool, lost } = await database();
    await Promise.all([pool.query('SELECT pg_sleep(0.05)'), pool.query('SELECT pg_sleep(0.05)')]);
    expect(pool.totalCount).toBe(2);
    const terminate =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    await pool.query(terminate);
    await expect.poll(() => pool.totalCount).toBe(1);
    expect(lost.length).toBeGreaterThan(0);
    expect((await pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });
});

describe('an unreachable database', () => {
  test('is distinguished from an invalid statement', async () => {
    const { pool } = await database(1);
    const losses: unknown[] = [];
    const client = await pool.connect();
    const running = failure(client.query('SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)'));
    const queued = failure(client.query('SELECT 1'));
    losses.push(await running, await queued, await failure(client.query('SELECT 1')));
    client.release(true);

    const unreachable = createPool(`postgres://a:b@127.0.0.1:${await freePort()}/c`, 1, () => undefined);
    losses.push(await failure(unreachable.query('SELECT 1')));
    await unreachable.end();
    losses.push(await failure(unreachable.query('SELECT 1')));

    const closingServer = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => closingServer.listen(0, '127.0.0.1', resolve));
    const { port } = closingServer.address() as { port: number };
    const cut = createPool(`postgres://a:b@127.0.0.1:${port}/c`, 1, () => undefined);
    losses.push(await failure(cut.query('SELECT 1')));
    await cut.end();
    closingServer.close();
    // A host that is cut off accepts a connection and does not answer.
    const silentServer = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
    const silent = `127.0.0.1:${(silentServer.address() as AddressInfo).port}`;
    const several = createPool(`postgres://a:b@${silent},${silent}/c`, 1, () => undefined);
    losses.push(await failure(several.query('SELECT 1')));
    await several.end();
    silentServer.close();

    for (const error of losses) expect(isConnectionLoss(error), String(error)).toBe(true);
    for (const wrong of ['SELECT * FROM missing', 'SELEKT', 'SELECT 1 / 0']) {
      expect(isConnectionLoss(await failure(pool.query(wrong))), wrong).toBe(false);
    }
    expect(isConnectionLoss('Connection terminated')).toBe(false);
  });

  test('becomes UNAVAILABLE; other errors are rethrown', async () => {
    const { pool } = await database();
    expect(await available(async () => 7)).toBe(7);
    const loss = await failure(available(() => pool.query('SELECT pg_terminate_backend(pg_backend_pid())')));
    expect(loss).toBeInstanceOf(ProtocolError);
    expect(loss).toMatchObject({ code: 'UNAVAILABLE' });
    const wrong = await failure(available(() => pool.query('SELECT 1 / 0')));
    expect(wrong).toMatchObject({ code: '22012' });
  });
});
