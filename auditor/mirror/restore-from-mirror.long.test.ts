import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { createHttpServer } from '../../server/http/http-server.ts';
import { createRequestListener } from '../../server/http/request-listener.ts';
import type { Service } from '../../server/processes/service.ts';
import { newHolder, query, type TestOperator, testOperator } from '../audit/test-operator.ts';
import { falseService, testMirror } from './test-mirror.ts';

/** Puts HTTP in front of a service; `port` 0 finds one. */
async function listen({ context }: Service, port = 0) {
  const server = createHttpServer(context.config, context.securityEvents);
  server.on('request', createRequestListener(context, null));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const used = (server.address() as AddressInfo).port;
  return { port: used, url: `http://127.0.0.1:${used}`, close };
}

/** A ledger of two entries on the network and two more that were never posted; their database is gone, a mirror has them. */
async function lostDisk(operator: TestOperator) {
  const lost = await operator.database();
  const posting = await operator.serve(lost);
  await newHolder(posting);
  await newHolder(posting);
  await operator.settle(lost);
  await posting.stop();
  const holding = await operator.serve(lost, { hold: true });
  const http = await listen(holding);
  const holders = [await newHolder(holding), await newHolder(holding)];
  const mirror = await testMirror({ of: http.url, gateway: [operator.devnet.url] });
  await mirror.reached(4);
  http.close();
  await holding.stop();
  return { mirror, holders, port: http.port };
}

test('after a lost disk, no acknowledged operation is lost: what a mirror has is restored and posted with the same ids', async () => {
  const operator = await testOperator();
  const { mirror, holders, port } = await lostDisk(operator);
  const database = await operator.database();
  const { verdict, text } = await operator.run((parts) => restore({ fromMirror: mirror.url }, parts), database);
  expect(verdict, text).toBe('clean');
  expect(text).toContain('posted then too: 2');

  const restored = await operator.serve(database);
  await operator.settle(database);
  const ids = holders.map(({ answer }) => answer.transactionId);
  const rows = await query<{ id: string }>(
    database,
    `SELECT e.id, b.status FROM ledger_entries e JOIN bundles b ON e.seq BETWEEN b.first_seq AND b.last_seq
     WHERE e.id = ANY ($1) ORDER BY e.seq`,
    [ids],
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  await listen(restored, port);
  await mirror.reached(5);
  expect(mirror.following.breach()).toBeNull();
});

test('a mirror that is not one adds nothing that the relayer did not sign', async () => {
  const operator = await testOperator();
  await lostDisk(operator);
  const other = await falseService();
  other.entries = Array.from({ length: 4 }, (_, n) =>
    other.relayer.write(other.relayer.create(`forged-${n}.bsp`).draft),
  );
  const database = await operator.database();
  const { verdict } = await operator.run((parts) => restore({ fromMirror: other.url }, parts), database);
  expect(verdict).toBe('clean');
  expect(await query(database, 'SELECT seq, epoch FROM ledger_entries ORDER BY seq')).toHaveLength(3);
});
