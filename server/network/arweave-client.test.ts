import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { amount } from '../../protocol/test-amount.ts';
import { createArweaveClient } from './arweave-client.ts';
import { readBundleTags } from './bundle-tags.ts';
import { clientOf, collect, postSigned, signed, testDevnet } from './devnet/test-devnet.ts';
import { readRetryAfter } from './gateway-http.ts';
import { createGateways } from './gateways.ts';
import { withRetries } from './retry.ts';
import { testWallet } from './test-wallet.ts';
import { loadWallet, walletAddress } from './wallet.ts';

/** A gateway with behaviour that the devnet does not have. */
async function startGateway(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const id = 'A'.repeat(43);

describe('the client', () => {
  test('posts a bundle, follows it to its confirmations and reads it back', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const data = Buffer.from('a bundle');
    const transaction = await signed(client, data);
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    expect(await client.post(transaction.json, data)).toBe('accepted');
    expect(await client.post(transaction.json, data)).toBe('known');
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
    await expect(client.data(transaction.id)).rejects.toMatchObject({ kind: 'unavailable', status: 202 });
    expect(await client.transaction(transaction.id)).toEqual(transaction.json);

    await devnet.mine(18);
    const status = await client.status(transaction.id);
    expect(status).toMatchObject({ state: 'mined', confirmations: 18, blockHeight: 1 });
    expect(Buffer.compare(await client.data(transaction.id), data)).toBe(0);
    const seconds = Math.floor(Date.now() / 1000);
    expect(Math.abs((await client.blockTime(1)) - seconds)).toBeLessThan(60);
    await devnet.mine(60);
    expect(await client.height()).toBe(78);
    expect(await client.blockTime(1)).toBe(await client.blockTime(1));
  });

  test('returns prices and balances as exact numbers', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const [oneByte, oneChunk, twoChunks] = await Promise.all([1, 262_144, 262_145].map((bytes) => client.price(bytes)));
    expect(oneByte).toBe(oneChunk);
    expect(twoChunks).toBeGreaterThan(oneChunk ?? 0n);
    const { address } = loadWallet(await testWallet());
    expect(await client.balance(address)).toBe(10n ** 18n);
    await devnet.mint(address, 10n ** 20n + 1n);
    expect(await client.balance(address)).toBe(10n ** 18n + 10n ** 20n + 1n);
    expect(await client.balance(id)).toBe(0n);
  });

  test('posts data larger than a chunk in chunks, and resumes an interrupted upload', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const data = Buffer.from(Array.from({ length: 700_000 }, (_, at) => (at * 31) % 251));
    const transaction = await signed(client, data);
    const header = { method: 'POST', body: JSON.stringify({ ...transaction.json, data: '' }) };
    expect((await fetch(`${devnet.url}/tx`, header)).status).toBe(200);
    await devnet.mine();
    await expect(client.data(transaction.id)).rejects.toMatchObject({ kind: 'missing', status: 404 });
    expect(await client.post(transaction.json, data)).toBe('known');
    expect(Buffer.compare(await client.data(transaction.id), data)).toBe(0);
  });

  test('refuses to post data that do not belong to the transaction', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, Buffer.from('these'));
    await expect(client.post(transaction.json, Buffer.from('those'))).rejects.toMatchObject({ kind: 'rejected' });
    await expect(client.post(transaction.json, Buffer.alloc(0))).rejects.toThrow('it was not posted');
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
  });

  test('lists a wallet’s transactions by tags over several pages, oldest first, from any cursor', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const tags = [{ name: 'App-Name', value: 'Perpetua' }];
    const ids: string[] = [];
    const count = amount(9, 120);
    const third = count / 3;
    for (let number = 0; number < count; number++) {
      const numbered = [...tags, { name: 'First-Seq', value: String(number) }];
      ids.push((await postSigned(client, Buffer.from(String(number)), { tags: numbered })).id);
      if (number % third === third - 1) await devnet.mine();
    }
    const waiting = await postSigned(client, Buffer.from('waiting'), { tags });
    await postSigned(client, Buffer.from('another app'), { tags: [{ name: 'App-Name', value: 'Other' }] });
    const poor = await testWallet('second');
    await devnet.mint(walletAddress(poor), 10n ** 13n);
    await postSigned(client, Buffer.from('another wallet'), { tags, wallet: poor });

    const owner = walletAddress(await testWallet());
    const found = await collect(client.bundles({ owner, tags }));
    expect(found.map((bundle) => bundle.id)).toEqual([...ids, waiting.id]);
    const { tagsDigest } = readBundleTags([...tags, { name: 'First-Seq', value: String(third + 1) }]);
    expect(found[third + 1]).toMatchObject({ block: { height: 2 }, firstSeq: third + 1, lastSeq: null, tagsDigest });
    expect(found.at(-1)?.block).toBeNull();
    const after = found[2 * third]?.cursor ?? '';
    const rest = await collect(client.bundles({ owner, tags, after }));
    expect(rest.map((bundle) => bundle.id)).toEqual([...ids.slice(2 * third + 1), waiting.id]);
    expect(await collect(client.bundles({ owner: id, tags }))).toEqual([]);

    // Public gateways return shorter pages than requested and report that no page follows.
    for (const size of [amount(2, 7), 100]) {
      devnet.setFault({ mode: 'page', size });
      expect((await collect(client.bundles({ owner, tags }))).map((bundle) => bundle.id)).toEqual([...ids, waiting.id]);
    }
  });
});

describe('a gateway that misbehaves', () => {
  test('is unavailable if it cannot be reached or is too slow', async () => {
    const unreachable = createArweaveClient({ gatewayUrl: 'http://127.0.0.1:1', timeoutMs: 1_000 });
    await expect(unreachable.height()).rejects.toMatchObject({ kind: 'unavailable', status: undefined });
    const silent = createArweaveClient({ gatewayUrl: await startGateway(() => {}), timeoutMs: 100 });
    await expect(silent.height()).rejects.toThrow('The gateway did not answer within 100 ms: GET /info.');
    const partial = await startGateway((_, response) => void response.write('{"height":'));
    const partialClient = createArweaveClient({ gatewayUrl: partial, timeoutMs: 100 });
    await expect(partialClient.height()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is unavailable if it sends an endless trickle of a list, of data or of headers', async () => {
    const url = await startGateway(({ url = '', socket }, response) => {
      const write = url === '/info' ? (text: string) => socket.write(text) : (text: string) => response.write(text);
      if (url === '/info') socket.write('HTTP/1.1 200 OK\r\n');
      const trickle = setInterval(() => write('x'), 10);
      socket.on('close', () => clearInterval(trickle));
    });
    const client = createArweaveClient({ gatewayUrl: url, timeoutMs: 300 });
    const late = { kind: 'unavailable', message: expect.stringContaining('did not answer within 300 ms') };
    await expect(collect(client.bundles({ owner: id, tags: [] }))).rejects.toMatchObject(late);
    await expect(client.data(id)).rejects.toMatchObject(late);
    await expect(client.transaction(id)).rejects.toMatchObject(late);
    await expect(client.height()).rejects.toMatchObject(late);
  });

  test('is misbehaving if it lists endlessly or in a cycle', async () => {
    const edge = (cursor: string, name: string) => ({
      cursor,
      node: { id: name.padStart(43, 'x'), tags: [], block: null },
    });
    const listing = (next: () => object) =>
      startGateway((_, response) => response.end(JSON.stringify({ data: { transactions: { edges: [next()] } } })));
    let count = 0;
    const endless = await listing(() => edge(String(count), String(count++)));
    const found = collect(clientOf({ url: endless }).bundles({ owner: id, tags: [], most: 300 }));
    await expect(found).rejects.toMatchObject({
      kind: 'misbehaving',
      message: expect.stringContaining('more than 300'),
    });
    const cyclic = await listing(() => edge(String(count++ % 3), 'a'));
    const repeated = collect(clientOf({ url: cyclic }).bundles({ owner: id, tags: [] }));
    await expect(repeated).rejects.toMatchObject({ kind: 'misbehaving', message: expect.stringContaining('again') });
  });

  test('is unavailable if it lists more tags than a transaction can have', async () => {
    const tag = (length: number) => ({ name: 'Last-Seq', value: '7'.repeat(length) });
    const listing = (tags: object[]) => {
      const edges = [{ cursor: 'c', node: { id, tags, block: null } }];
      return startGateway((_, response) => response.end(JSON.stringify({ data: { transactions: { edges } } })));
    };
    for (const tags of [Array(129).fill(tag(1)), [tag(4_089)], [tag(5_000_000)]]) {
      const found = collect(clientOf({ url: await listing(tags) }).bundles({ owner: id, tags: [], limit: 1 }));
      await expect(found).rejects.toThrow('is not as expected (data.transactions.edges.0.node.tags)');
    }
    const longest = await listing([tag(4_088)]);
    const [found] = await collect(clientOf({ url: longest }).bundles({ owner: id, tags: [], limit: 1 }));
    expect(JSON.stringify(found).length).toBeLessThan(200);
  });

  test('is not followed if it redirects a read to another host', async () => {
    const requests: string[] = [];
    const elsewhere = await startGateway((request, response) => {
      requests.push(request.url ?? '');
      response.end('the data');
    });
    const url = await startGateway((_, response) => response.writeHead(302, { location: `${elsewhere}/data` }).end());
    await expect(clientOf({ url }).data(id)).rejects.toMatchObject({ kind: 'misbehaving' });
    await expect(clientOf({ url }).height()).rejects.toThrow(
      /to another host \(127\.0\.0\.1:\d+\), which is not followed/,
    );
    expect(requests).toEqual([]);
  });

  test.each([
    [500, 'unavailable'],
    [503, 'unavailable'],
    [429, 'unavailable'],
    [400, 'unavailable'],
    [402, 'unavailable'],
    [403, 'unavailable'],
    [404, 'missing'],
    [410, 'missing'],
  ])('with %i is %s', async (status, kind) => {
    const url = await startGateway((_, response) => response.writeHead(status).end('an  error\nmessage'));
    await expect(clientOf({ url }).anchor()).rejects.toMatchObject({
      kind,
      status,
      message: `The gateway answered ${status} (an error message) to GET /tx_anchor.`,
    });
  });

  test('is unavailable if its responses are malformed', async () => {
    const url = await startGateway((_, response) => response.end('<html>captive portal</html>'));
    const client = clientOf({ url });
    await expect(client.height()).rejects.toThrow('is not JSON');
    await expect(client.anchor()).rejects.toThrow('is malformed');
    await expect(client.price(1)).rejects.toThrow('is malformed');
    await expect(client.status(id)).rejects.toThrow('is not JSON');
    await expect(client.blockTime(1)).rejects.toThrow('is not JSON');
    await expect(collect(client.bundles({ owner: id, tags: [] }))).rejects.toThrow('is not JSON');
    const wrongType = clientOf({ url: await startGateway((_, response) => response.end('{"height":"many"}')) });
    await expect(wrongType.height()).rejects.toThrow('is not as expected (height)');
    const refusing = await startGateway((_, response) => response.end('{"errors":[{"message":"too busy"}]}'));
    const listing = clientOf({ url: refusing }).bundles({ owner: id, tags: [] });
    await expect(collect(listing)).rejects.toThrow('could not answer a query: too busy');
  });

  test('is cut off at a limit if its response does not end', async () => {
    const url = await startGateway((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await expect(clientOf({ url }).height()).rejects.toThrow('is larger than 65536 bytes');
  });

  test('is not followed if it redirects a POST', async () => {
    const requests: string[] = [];
    const elsewhere = await startGateway((request, response) => {
      requests.push(request.url ?? '');
      response.end('OK');
    });
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), Buffer.from('x'));
    const url = await startGateway((_, response) => response.writeHead(307, { location: `${elsewhere}/tx` }).end());
    await expect(clientOf({ url }).post(transaction.json, transaction.data)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(requests).toEqual([]);
  });
});

describe('a gateway that asks to wait', () => {
  test.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['86400', 300_000],
    ['Thu, 26 Nov 2026 14:00:07 GMT', 7_000],
    ['Thu, 26 Nov 2026 13:00:00 GMT', 0],
    ['Fri, 27 Nov 2026 14:00:00 GMT', 300_000],
    ['soon', 0],
    ['-5', 0],
    [null, 0],
  ])('with Retry-After: %s is waited for %i ms', (header, ms) => {
    expect(readRetryAfter(header, Date.parse('2026-11-26T14:00:00Z'))).toBe(ms);
  });

  test('is sent nothing of that kind until then, and the retry comes after it', async () => {
    const times: number[] = [];
    const url = await startGateway((request, response) => {
      if (request.url !== '/tx_anchor') return void response.end('{"height":7}');
      times.push(performance.now());
      const isFirst = times.length === 1;
      response.writeHead(isFirst ? 402 : 200, isFirst ? { 'retry-after': '1' } : {}).end('B'.repeat(64));
    });
    const client = clientOf({ url });
    expect(await withRetries(() => client.anchor())).toBe('B'.repeat(64));
    const [first = 0, second = 0] = times;
    expect(times).toHaveLength(2);
    expect(second - first).toBeGreaterThan(950);

    const hours = await startGateway((request, response) => {
      times.push(0);
      if (request.url === '/info') return void response.end('{"height":7}');
      response.writeHead(503, { 'retry-after': '7200' }).end();
    });
    const waiting = clientOf({ url: hours });
    times.length = 0;
    await expect(waiting.anchor()).rejects.toMatchObject({ kind: 'unavailable', retryAfterMs: 300_000 });
    await expect(waiting.anchor()).rejects.toThrow(/asked to wait (300|299) more seconds before GET \/tx_anchor/);
    expect(times).toHaveLength(1);
    expect(await waiting.height()).toBe(7);
  });

  test.each([200, 202, 404])('with %i is asked for others meanwhile', async (status) => {
    const url = await startGateway((_, response) =>
      response.writeHead(status, { 'retry-after': '300' }).end('Pending'),
    );
    const state = status === 404 ? 'unknown' : 'pending';
    const client = clientOf({ url });
    for (const one of [id, 'B'.repeat(43)]) expect(await client.status(one)).toEqual({ state });
  });
});

test('what one gateway lacks and another one alters is not missing', async () => {
  const devnet = await testDevnet();
  const { id, data } = await postSigned(clientOf(devnet), Buffer.from('the data'));
  await devnet.mine();
  const at = (answer: (response: ServerResponse) => void) =>
    startGateway(async ({ url = '' }, response) => {
      if (url === `/raw/${id}` || url === `/${id}`) return answer(response);
      const found = await fetch(`${devnet.url}${url}`);
      response.writeHead(found.status).end(Buffer.from(await found.arrayBuffer()));
    });
  const without = await at((response) => response.writeHead(404).end());
  const altered = await at((response) => response.end('Other ata'.slice(0, data.length)));
  const endless = await at((response) => response.end('more than the data'));
  await expect(createGateways([without, without]).data(id)).rejects.toMatchObject({ kind: 'missing', status: 404 });
  for (const other of [altered, endless]) {
    for (const urls of [
      [other, without],
      [without, other],
    ]) {
      const reading = createGateways(urls).data(id);
      await expect(reading).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining(other) });
    }
  }
});

test('a gateway without an endpoint does not keep another one from being asked', async () => {
  const devnet = await testDevnet();
  for (const status of [400, 403, 404, 410]) {
    const lacking = await startGateway((_, response) => response.writeHead(status).end());
    const gateways = createGateways([lacking, devnet.url]);
    expect(await gateways.price(1)).toBe(570_000_000n);
    expect(await gateways.blockTime(0)).toBeGreaterThan(0);
  }
});

describe('the client supports gateways', () => {
  test('without /raw and with redirects of reads', async () => {
    const url = await startGateway((request, response) => {
      if (request.url === `/${id}`) response.writeHead(302, { location: `/sandbox/${id}` }).end();
      else if (request.url === `/sandbox/${id}`) response.end('the data');
      else response.writeHead(404).end('Not Found.');
    });
    const client = clientOf({ url: `${url}/` });
    expect((await client.data(id)).toString()).toBe('the data');
    await expect(client.data('B'.repeat(43))).rejects.toMatchObject({ kind: 'missing', status: 404 });
  });

  test.each([
    [404, 200, 'read'],
    [410, 200, 'read'],
    [400, 200, 'read'],
    [421, 200, 'read'],
    [404, 404, 'missing'],
    [410, 410, 'missing'],
    [400, 404, 'missing'],
    [404, 400, 'unavailable'],
    [400, 400, 'unavailable'],
    [421, 421, 'unavailable'],
    [404, 402, 'unavailable'],
    [404, 451, 'unavailable'],
    [404, 503, 'unavailable'],
    [401, 200, 'unavailable'],
    [402, 200, 'unavailable'],
    [403, 404, 'unavailable'],
    [429, 404, 'unavailable'],
    [451, 404, 'unavailable'],
    [500, 404, 'unavailable'],
  ])('that answer %i at /raw and %i at /<id>: the data are %s', async (raw, own, outcome) => {
    const url = await startGateway((request, response) =>
      response.writeHead(request.url?.startsWith('/raw/') ? raw : own).end('the data'),
    );
    const reading = clientOf({ url }).data(id);
    if (outcome === 'read') expect((await reading).toString()).toBe('the data');
    else await expect(reading).rejects.toMatchObject({ kind: outcome });
  });

  test.each([
    [200, true],
    [303, true],
    [400, false],
    [404, false],
    [503, false],
  ])('that answer %i to a chunk: stored is %s, and the transaction is not rejected', async (status, isStored) => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), Buffer.alloc(300_000, 7));
    const chunks: string[] = [];
    const url = await startGateway((request, response) => {
      if (request.url === '/chunk') chunks.push(request.url);
      response.writeHead(request.url === '/chunk' ? status : 200).end('{}');
    });
    const posting = clientOf({ url }).post(transaction.json, transaction.data);
    if (isStored) expect(await posting).toBe('accepted');
    else await expect(posting).rejects.toMatchObject({ kind: 'unavailable', status });
    expect(chunks).toHaveLength(isStored ? 2 : 1);
  });

  test('that know a transaction and have lost its data', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, Buffer.from('lost'));
    devnet.setFault({ mode: 'lose', times: 1 });
    expect(await client.post(transaction.json, transaction.data)).toBe('accepted');
    await devnet.mine();
    await expect(client.data(transaction.id)).rejects.toMatchObject({ kind: 'missing' });
    expect(await client.post(transaction.json, transaction.data)).toBe('known');
    expect((await client.data(transaction.id)).toString()).toBe('lost');
  });

  test.each([
    ['already on the weave', 400, 'Transaction is already on the weave.'],
    ['already in the mempool', 400, 'Transaction is already in the mempool.'],
    ['already processed', 208, 'Transaction already processed.'],
  ])('that report a known transaction as "%s"', async (_, status, sentence) => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), Buffer.from('x'));
    const url = await startGateway((_, response) => response.writeHead(status).end(sentence));
    expect(await clientOf({ url }).post(transaction.json, transaction.data)).toBe('known');
  });
});
