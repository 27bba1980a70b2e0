import Arweave from 'arweave';
import { describe, expect, test } from 'vitest';
import { MALFORMED_TARGETS, rawRequest } from '../../http/rest/test-requests.ts';
import { splitData } from '../arweave-transaction.ts';
import { testWallet } from '../test-wallet.ts';
import { loadWallet, signTransaction, walletAddress } from '../wallet.ts';
import { clientOf, postSigned, signed, temporaryDirectory, testDevnet } from './test-devnet.ts';

const CHUNK = 256 * 1024;

function arweaveAt(url: string): Arweave {
  const { protocol, hostname, port } = new URL(url);
  return Arweave.init({ protocol: protocol.slice(0, -1), host: hostname, port: Number(port) });
}

/** Bytes without repetition, so that a misplaced chunk is detected. */
function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
  return bytes;
}

describe('arweave-js against the devnet', () => {
  test('creates, signs and posts a transaction and follows its confirmations', async () => {
    const devnet = await testDevnet();
    const arweave = arweaveAt(devnet.url);
    const jwk = await testWallet();
    const before = BigInt(await arweave.wallets.getBalance(walletAddress(jwk)));

    const transaction = await arweave.createTransaction({ data: 'hello, network' }, jwk);
    transaction.addTag('App-Name', 'Other-App');
    await arweave.transactions.sign(transaction, jwk);
    expect((await arweave.transactions.post(transaction)).status).toBe(200);
    expect((await arweave.transactions.getStatus(transaction.id)).status).toBe(202);

    await devnet.mine(3);
    const { status, confirmed } = await arweave.transactions.getStatus(transaction.id);
    expect(status).toBe(200);
    expect(confirmed).toMatchObject({ block_height: 1, number_of_confirmations: 3 });
    const block = await fetch(`${devnet.url}/block/height/1`).then((response) => response.json());
    expect(block).toMatchObject({ height: 1, indep_hash: confirmed?.block_indep_hash, txs: [transaction.id] });

    const read = await arweave.transactions.get(transaction.id);
    expect(await arweave.transactions.verify(read)).toBe(true);
    expect(await arweave.transactions.getData(transaction.id, { decode: true, string: true })).toBe('hello, network');
    expect(await arweave.wallets.getLastTransactionID(walletAddress(jwk))).toBe(transaction.id);
    expect(BigInt(await arweave.wallets.getBalance(walletAddress(jwk)))).toBe(before - BigInt(transaction.reward));
  });

  test.each([CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 40_000])(
    'uploads %i bytes and reads them back by chunks',
    async (size) => {
      // arweave-js does not take the 303 of a gateway for stored.
      const devnet = await testDevnet({ kind: 'node' });
      const arweave = arweaveAt(devnet.url);
      const jwk = await testWallet();
      const data = bytesOf(size);
      const transaction = await arweave.createTransaction({ data }, jwk);
      await arweave.transactions.sign(transaction, jwk);
      for await (const uploader of arweave.transactions.upload(transaction, data))
        expect(uploader.lastResponseStatus).toBe(200);
      await devnet.mine();
      const chunked = await arweave.chunks.downloadChunkedData(transaction.id);
      expect(Buffer.compare(chunked, data)).toBe(0);
      expect(Buffer.compare(await clientOf(devnet).data(transaction.id), data)).toBe(0);
    },
  );

  test('transfers value between wallets', async () => {
    const devnet = await testDevnet();
    const arweave = arweaveAt(devnet.url);
    const [from, to] = [await testWallet(), await testWallet('second')];
    const transaction = await arweave.createTransaction({ target: walletAddress(to), quantity: '12345' }, from);
    await arweave.transactions.sign(transaction, from);
    expect((await arweave.transactions.post(transaction)).status).toBe(200);
    await devnet.mine();
    expect(await arweave.wallets.getBalance(walletAddress(to))).toBe('12345');
  });
});

describe('a posted transaction', () => {
  test('is refused with the reason if any part is invalid', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const data = bytesOf(1_000);
    const valid = await signed(client, data, { tags: [{ name: 'a', value: 'b' }] });
    const body = { ...valid.json, data: data.toString('base64url') };
    const flipped = Buffer.from(valid.json.signature, 'base64url');
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    const post = async (changed: object) => {
      const response = await fetch(`${devnet.url}/tx`, {
        method: 'POST',
        body: JSON.stringify({ ...body, ...changed }),
      });
      return `${response.status} ${await response.text()}`;
    };
    expect(await post({ signature: flipped.toString('base64url') })).toMatch(/^400 .*the id is not the hash/);
    expect(await post({ reward: `${valid.json.reward}1` })).toMatch(/^400 .*the signature is not the owner's/);
    expect(await post({ tags: [] })).toMatch(/^400 .*the signature is not the owner's/);
    expect(await post({ data: bytesOf(999).toString('base64url') })).toMatch(
      /^400 .*data_size is not the size of the data/,
    );
    expect(await post({ data: Buffer.alloc(1_000).toString('base64url') })).toMatch(/^400 .*data_root is not the root/);
    expect(await post({ format: 1 })).toMatch(/^400 Invalid transaction: format/);
    expect(await post({ owner: 'AQAB' })).toMatch(/^400 Invalid transaction: owner/);
    expect(await post({ reward: '-1' })).toMatch(/^400 Invalid transaction: reward/);
    const notJson = await fetch(`${devnet.url}/tx`, { method: 'POST', body: '{"format":2' });
    expect(notJson.status).toBe(400);
    const large = { method: 'POST', body: 'x'.repeat(17 * 1024 * 1024) };
    const tooLarge = await fetch(`${devnet.url}/tx`, large).then(
      ({ status }) => status,
      () => 'connection reset',
    );
    expect([413, 'connection reset']).toContain(tooLarge);
    expect(await client.status(valid.id)).toEqual({ state: 'unknown' });
    expect(await post({})).toBe('200 OK');
    expect(await post({})).toBe('208 Transaction already processed.');
    await devnet.mine();
    expect(await post({})).toBe('208 Transaction already processed.');
    expect(await fetch(`${devnet.url}/block/height/1`).then((r) => r.json())).toMatchObject({ txs: [valid.id] });
  });

  test('must have an anchor among the last 50 blocks, a sufficient reward and a sufficient balance', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const data = Buffer.from('x');
    const old = await signed(client, data);
    await devnet.mine(50);
    await expect(client.post(old.json, data)).rejects.toMatchObject({
      kind: 'rejected',
      status: 400,
      message: expect.stringContaining('Invalid anchor (last_tx).'),
    });

    const anchor = await client.anchor();
    const wallet = loadWallet(await testWallet());
    const price = await client.price(1);
    const underpaid = await signTransaction(wallet, { data, tags: [], anchor, reward: price - 1n });
    await expect(client.post(underpaid.json, data)).rejects.toThrow(`the reward is below the price of ${price}`);

    const poor = await testWallet('second');
    await devnet.mint(walletAddress(poor), 2n * price - 1n);
    await postSigned(client, data, { wallet: poor });
    const second = await signed(client, Buffer.from('y'), { wallet: poor });
    await expect(client.post(second.json, second.data)).rejects.toThrow('Waiting TXs exceed balance for wallet.');
    await devnet.mint(walletAddress(poor), 1n);
    expect(await client.post(second.json, second.data)).toBe('accepted');
    await devnet.mine();
    expect(await client.balance(walletAddress(poor))).toBe(0n);
  });

  test('is dropped if it is still pending when its anchor expires', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const { id } = await postSigned(client, Buffer.from('x'));
    const poor = walletAddress(await testWallet());
    await devnet.mint(poor, -(10n ** 24n));
    await devnet.mine(49);
    expect(await client.status(id)).toEqual({ state: 'pending' });
    await devnet.mine();
    expect(await client.status(id)).toEqual({ state: 'unknown' });
  });
});

describe('a devnet', () => {
  test('keeps blocks, balances, pending transactions and partial uploads over a restart', async () => {
    const directory = await temporaryDirectory();
    const first = await testDevnet({ directory });
    const client = clientOf(first);
    const mined = await postSigned(client, bytesOf(5_000));
    await first.mine(2);
    await first.reorganise(1);
    const waiting = await postSigned(client, bytesOf(70_000));
    const large = await signed(client, bytesOf(2 * CHUNK));
    const header = { method: 'POST', body: JSON.stringify({ ...large.json, data: '' }) };
    expect((await fetch(`${first.url}/tx`, header)).status).toBe(200);
    const owner = walletAddress(first.wallet);
    const snapshot = async (url: string) => ({
      info: await fetch(`${url}/info`).then((response) => response.json()),
      anchor: await fetch(`${url}/tx_anchor`).then((response) => response.text()),
      balance: await clientOf({ url }).balance(owner),
      mined: await clientOf({ url }).status(mined.id),
      waiting: await clientOf({ url }).status(waiting.id),
    });
    const before = await snapshot(first.url);
    await first.stop();

    const second = await testDevnet({ directory });
    expect(await snapshot(second.url)).toEqual(before);
    const secondClient = clientOf(second);
    expect(await secondClient.post(large.json, large.data)).toBe('known');
    await second.mine();
    for (const { id, data } of [mined, waiting, large])
      expect(Buffer.compare(await secondClient.data(id), data)).toBe(0);
  });

  test('mines automatically while a transaction needs confirmations, and stops when none does', async () => {
    const devnet = await testDevnet({ blockMs: 5 });
    const client = clientOf(devnet);
    const heightAfter60 = async () => {
      const { id } = await postSigned(client, Buffer.from('x'));
      await expect.poll(() => client.status(id), { interval: 100 }).toMatchObject({ confirmations: 60 });
      return client.height();
    };
    const height = await heightAfter60();
    // A block that was mined between the two would count.
    expect(await heightAfter60()).toBe(height + 60);
  });

  test('listens on loopback only and refuses control requests from web pages', async () => {
    const devnet = await testDevnet();
    expect(new URL(devnet.url).hostname).toBe('127.0.0.1');
    const control = (headers: Record<string, string>) =>
      fetch(`${devnet.url}/mine`, { method: 'POST', headers }).then((response) => response.status);
    expect(await control({ origin: 'https://example.com' })).toBe(403);
    expect(await control({})).toBe(200);
    expect((await fetch(`${devnet.url}/mine`)).status).toBe(405);
  });

  test('responds 404 to unknown ids and paths', async () => {
    const devnet = await testDevnet();
    const unknown = 'A'.repeat(43);
    for (const path of [
      `/tx/${unknown}`,
      `/tx/${unknown}/status`,
      `/${unknown}`,
      `/raw/${unknown}`,
      `/tx/${unknown}/offset`,
    ]) {
      const response = await fetch(devnet.url + path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, 'Not Found.']);
    }
    for (const path of ['/missing', '/block/height/99', '/chunk/1', '/chunk/0', '/tx/short/status']) {
      expect((await fetch(devnet.url + path)).status, path).toBe(404);
    }
  });
});

test.each(MALFORMED_TARGETS)('a request for %s is answered', async (path) => {
  const devnet = await testDevnet();
  const { status } = await rawRequest(devnet.url, { path });
  expect([400, 404]).toContain(status);
});

describe('the devnet answers', () => {
  test.each([
    ['gateway', { raw: 200, graphql: 200, chunk: 303, unknown: 404 }],
    ['node', { raw: 400, graphql: 400, chunk: 200, unknown: 400 }],
  ] as const)('like a %s after a request to its control address', async (kind, expected) => {
    const devnet = await testDevnet({ kind: kind === 'node' ? 'gateway' : 'node' });
    expect((await fetch(`${devnet.url}/kind/${kind}`, { method: 'POST' })).status).toBe(200);
    expect((await fetch(`${devnet.url}/kind/other`, { method: 'POST' })).status).toBe(400);
    const client = clientOf(devnet);
    const data = bytesOf(CHUNK + 1);
    const { id } = await postSigned(client, data);
    await devnet.mine();
    const { chunks, dataRoot } = await splitData(data);
    const { dataPath, offset, end } = chunks[0] ?? expect.fail('There are no chunks.');
    const chunk = data.subarray(0, end).toString('base64url');
    const body = { data_root: dataRoot, data_size: String(data.length), data_path: dataPath, offset, chunk };
    const at = (path: string, json?: object) =>
      fetch(devnet.url + path, json ? { method: 'POST', body: JSON.stringify(json) } : {});
    const answers = {
      raw: await at(`/raw/${id}`),
      graphql: await at('/graphql', { query: '{ transactions { edges { cursor } } }' }),
      chunk: await at('/chunk', body),
      unknown: await at('/no/such/path'),
    };
    const statuses = Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
    expect(statuses).toEqual(expected);
    expect(answers.chunk.headers.get('location')).toBeNull();
    const whole = await at(`/${id}`);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(data.length)]);
    expect(Buffer.from(await (await at(`/tx/${id}/data`)).text(), 'base64url').equals(data)).toBe(true);
    expect(await (await at('/height')).text()).toBe('1');
    expect(await (await at('/peers')).json()).toEqual([]);
    expect(await (await at('/no/such/path')).text()).toBe(kind === 'node' ? 'Request type not found.' : 'Not Found.');
  });
});
