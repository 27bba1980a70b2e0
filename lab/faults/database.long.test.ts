import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wholeChain } from '../../server/ledger/test-chain.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../../server/testing/tcp-proxy.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type SignedBody,
  startTestService,
  type TestService,
} from '../../server/testing/test-service.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let proxy: TcpProxy;
let service: TestService;
let direct: pg.Pool;
beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startTcpProxy(Number(new URL(database.url).port));
  const through = new URL(database.url);
  through.port = String(proxy.port);
  // With the limits of a real service: what happens after them is tested here.
  service = await startTestService({}, { databaseUrl: through.href, databaseWaitMs: null });
  direct = createPool(database.url, 1, () => undefined);
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await direct.end();
  await database.drop();
});

function creation(): SignedBody {
  const person = newPerson();
  return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
}

const create = (body: SignedBody) => service.post('/api/relayer/beo', body);

const UNREACHABLE = 'The database is not reachable at the moment; try again shortly.';

function expectUnavailable({ status, headers, body }: Answer, message = UNREACHABLE): void {
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.error).toBe(message);
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

interface Sent {
  readonly body: SignedBody;
  readonly answer: Answer;
}

/** Sends new requests over four connections until `end`. */
function load() {
  const sent: Sent[] = [];
  let isOver = false;
  const connection = async () => {
    while (!isOver) {
      const body = creation();
      sent.push({ body, answer: await create(body) });
    }
  };
  const connections = Promise.all([connection(), connection(), connection(), connection()]);
  const count = (status: number) => sent.filter(({ answer }) => answer.status === status).length;
  return {
    /** Waits until several more requests were answered with a status. */
    async answered(status: number): Promise<void> {
      const before = count(status);
      await expect.poll(() => count(status), { interval: 5 }).toBeGreaterThan(before + 5);
    },
    async end(): Promise<Sent[]> {
      isOver = true;
      await connections;
      return sent;
    },
  };
}

/** Expects that operations answered 201 are in the ledger once, and that those answered 503 are after being sent again. */
async function expectEachOnce(sent: readonly Sent[]): Promise<void> {
  for (const { answer } of sent) expect([201, 503], JSON.stringify(answer.body)).toContain(answer.status);
  for (const { body, answer } of sent) {
    if (answer.status === 201) continue;
    const second = await create(body);
    expect([201, 'NONCE_REUSED']).toContain(second.body.code ?? second.status);
    if (second.status === 409) expect(second.body.details.transactionId).toMatch(/^[\w-]{43}$/);
  }
  const entries = await wholeChain(service.service.context.pool);
  const signatures = entries.map(({ signature }) => signature);
  for (const { body } of sent) expect(signatures.filter((signature) => signature === body.signature)).toHaveLength(1);
  for (const { body, answer } of sent) {
    if (answer.status !== 201) continue;
    const { transactionId } = answer.body;
    expect(entries.find(({ id }) => id === transactionId)).toMatchObject({ signature: body.signature });
  }
}

const expectWritesWork = () => expect.poll(async () => (await create(creation())).status).toBe(201);

describe('while the database is unreachable', () => {
  test('requests that need it get 503, and all others succeed', async () => {
    await expectWritesWork();
    proxy.cut();
    try {
      expectUnavailable(await create(creation()));
      for (const path of [
        '/api/beos/unknown.bsp',
        `/api/transactions/${'A'.repeat(43)}`,
        '/api/ledger',
        '/api/ledger/entries',
      ]) {
        expectUnavailable(await service.get(path));
      }
      const ready = await service.get('/ready');
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({
        status: 'unavailable',
        database: { ok: false, problem: 'The database is not reachable.' },
        network: { ok: true },
        backlog: { ok: false, entries: null },
      });
      expect((await service.get('/health')).status).toBe(200);
      expect((await service.get('/metrics')).body).toContain('perpetua_backlog_entries Nan');
      expect((await create({ ...creation(), nonce: 'short' })).body.code).toBe('NONCE_TOO_SHORT');
    } finally {
      proxy.restore();
    }
    await expectWritesWork();
    const ready = async () => (await service.get('/ready')).body.status;
    await expect.poll(ready, { interval: 200 }).toBe('ready');
  });

  test('no accepted operation is lost or duplicated if the connection breaks', async () => {
    await expectWritesWork();
    const sending = load();
    for (let round = 0; round < 4; round++) {
      await sending.answered(201);
      proxy.cut();
      await sending.answered(503);
      proxy.restore();
    }
    await expectWritesWork();
    await expectEachOnce(await sending.end());
  });

  test('no accepted operation is lost or duplicated if the database terminates every connection', async () => {
    const sending = load();
    for (let round = 0; round < 4; round++) {
      await sending.answered(201);
      await direct.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
    await expectWritesWork();
    await expectEachOnce(await sending.end());
  });

  test('every operation reaches the network afterwards', async () => {
    const state = async () => (await service.get('/api/ledger')).body;
    const { head } = await state();
    await expect.poll(async () => (await state()).entries_final, { interval: 200 }).toBe(head.seq);
  });
});

test('if the connection breaks between COMMIT and its answer, the operation is in the ledger once', async () => {
  await expectWritesWork();
  const body = creation();
  proxy.loseCommits();
  const answer = await create(body);
  proxy.restore();
  expectUnavailable(answer);
  await expectEachOnce([{ body, answer }]);
  expect((await create(body)).body.code).toBe('NONCE_REUSED');
});

test('a short stall of the connection only delays a write', async () => {
  await expectWritesWork();
  const submit = vi.spyOn(service.service.context.queue, 'submit');
  proxy.freeze();
  const response = create(creation());
  await expect.poll(() => submit.mock.calls.length).toBe(1);
  submit.mockRestore();
  proxy.restore();
  expect((await response).status).toBe(201);
});

test('a process that stalls while it holds the head lock does not block the others indefinitely', async () => {
  await expectWritesWork();
  const stalled = await service.service.context.pool.connect();
  await stalled.query('BEGIN');
  await stalled.query('SELECT * FROM ledger_head FOR UPDATE');
  expect((await create(creation())).status).toBe(201);
  await expect(stalled.query('COMMIT')).rejects.toThrow();
  stalled.release(true);
  await wholeChain(service.service.context.pool);
});

test('a statement that the database cancels returns 503, and the same request succeeds afterwards', async () => {
  await expectWritesWork();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE beos, names IN ACCESS EXCLUSIVE MODE');
  const body = creation();
  let settled = false;
  const answers = Promise.all([create(body), service.get('/api/beos/unknown.bsp')]).finally(() => {
    settled = true;
  });
  const cancelWaiting = async () => {
    await direct.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`);
    return settled;
  };
  await expect.poll(cancelWaiting).toBe(true);
  await blocker.end();
  const [write, read] = await answers;
  expectUnavailable(write);
  expectUnavailable(read, 'The database took too long to respond; try again shortly.');
  expect((await create(body)).status).toBe(201);
});
