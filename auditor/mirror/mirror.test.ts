import { expect, onTestFinished, test } from 'vitest';
import { inFull } from '../../protocol/test-amount.ts';
import { MALFORMED_TARGETS, rawRequest } from '../../server/http/rest/test-requests.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { freshDomain, startTestService } from '../../server/testing/test-service.ts';
import { partiesOf } from '../../server/write/test-parties.ts';
import { badGateway } from '../audit/test-bad-gateway.ts';
import { falseService, mirrorPlace, testMirror } from './test-mirror.ts';

const longTest = inFull(test);

async function service() {
  const started = await startTestService({ MAX_STREAM_MS: '600000', BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25' });
  onTestFinished(started.stop);
  return started;
}

/** Each counts confirmations when it looks, and each has its own ids of requests. */
const comparable = (body: unknown): string =>
  (typeof body === 'string' ? body : JSON.stringify(body))
    .replace(/"confirmations":\d+/, '')
    .replace(/"request_id":"[^"]*"/, '');

test('a mirror serves what it verified as the service does, and follows new operations and restarts', async () => {
  const product = await service();
  const parties = partiesOf(product);
  const [holder, institution] = [await parties.newHolder(), await parties.newInstitution()];
  const { token_id: token } = await parties.granted(holder, institution.id);
  // The mirror creates its tables.
  const place = await mirrorPlace(freshDatabase);
  const mirror = await testMirror({ of: product.url }, place);
  await mirror.reached(product.service.context.fence.latestSeq());

  const another = await parties.newHolder();
  await parties.granted(another, institution.id);
  const seq = product.service.context.fence.latestSeq();
  await mirror.reached(seq);
  await expect
    .poll(async () => (await mirror.get(`/api/transactions/${another.transactionId}`)).body.transaction?.status, {
      timeout: 240_000,
    })
    .toBe('FINAL');
  const paths = [
    ...[`/api/beos/${holder.id}`, `/api/beos/${another.transactionId}`, `/api/ieos/${institution.id}`],
    ...[
      '/api/ieos',
      '/api/ieos/search?name=clinic',
      `/api/consent/${token}/verify`,
      `/api/consent/history/${holder.id}`,
    ],
    ...[
      `/api/transactions/${holder.transactionId}`,
      '/api/ledger/entries?limit=1000',
      '/api/beos/unknown.bsp',
      '/health',
    ],
    ...['/api/openapi.json', `/api/beos/${holder.id.slice(1)}`, '/api/nothing'],
  ];
  for (const path of paths) {
    // Each looks at the network at its own time.
    const difference = async () => {
      const [served, mirrored] = [await product.get(path), await mirror.get(path)];
      expect(mirrored.headers.get('x-perpetua-verified-to')).toBe(String(seq));
      const texts = [served, mirrored].map(({ status, body }) => `${status} ${comparable(body)}`);
      return texts[0] === texts[1] ? null : texts;
    };
    await expect.poll(difference, { message: path }).toBeNull();
  }
  await expect.poll(async () => (await mirror.get('/api/ledger')).body.head?.seq, { timeout: 240_000 }).toBe(seq);
  const { head: _, ...ledger } = (await product.get('/api/ledger')).body;
  await expect
    .poll(async () => (await mirror.get('/tlog/checkpoint')).body, { timeout: 240_000 })
    .toContain(`\n${seq}\n`);
  const tree = ['checkpoint', `tile/0/000.p/${seq}`, `tile/entries/000.p/${seq}`, `proof/${another.transactionId}`];
  for (const path of tree.map((name) => `/tlog/${name}`)) {
    const [served, mirrored] = [await product.get(path), await mirror.get(path)];
    expect([path, mirrored.status, mirrored.body]).toEqual([path, 200, served.body]);
  }
  expect((await mirror.get('/api/ledger')).body).toMatchObject({ ...ledger, entries_final: expect.any(Number) });

  await mirror.stop();
  await parties.newHolder();
  const again = await testMirror({ of: product.url, ledgerId: ledger.ledger_id }, place);
  expect(again.following.verifiedTo()).toBe(seq);
  await again.reached(seq + 1);
  expect(again.following.breach()).toBeNull();
  expect((await again.get('/ready')).body.ledger).toMatchObject({ ok: true });
});

test('a mirror refuses writes, signed reads and links, and says where they belong', async () => {
  const product = await service();
  const mirror = await testMirror({ of: product.url });
  for (const [method, path] of [
    ['POST', '/api/relayer/beo'],
    ['POST', '/api/exchange/export'],
    ['GET', '/api/exchange/records'],
    ['GET', '/api/ieo/proposals'],
    ['GET', '/api/guardian/accept/abc'],
    ['GET', '/explore'],
    ['POST', '/api/trpc/createBEO'],
  ] as const) {
    const { status, body, headers } = await mirror.get(path, { method });
    const expected =
      path.startsWith('/api/') && path !== '/api/trpc/createBEO' ? [405, 'METHOD_NOT_ALLOWED'] : [404, 'NOT_FOUND'];
    expect([path, status, body.code]).toEqual([path, ...expected]);
    expect(body.error).toContain(`the service at ${product.url}`);
    expect(headers.get('x-perpetua-verified-to')).toBe('0');
  }
  for (const path of MALFORMED_TARGETS) expect((await rawRequest(mirror.url, { path })).status, path).toBe(404);
});

longTest('a mirror of another ledger than the pinned one does not begin, nor in the place of a service', async () => {
  const product = await service();
  await expect(testMirror({ of: product.url, ledgerId: 'a'.repeat(64) })).rejects.toThrow('has the ledger');
  const own = { dataDir: (await mirrorPlace()).dataDir, databaseUrl: product.databaseUrl };
  await expect(testMirror({ of: product.url }, own)).rejects.toThrow('is that of a service');
});

longTest('a mirror of the network alone verifies what is posted, and has no head of the service', async () => {
  const { relayer, devnet } = await falseService();
  const entries = [1, 2, 3].map(() => relayer.write(relayer.create(freshDomain()).draft));
  await relayer.post(entries);
  await devnet.mine();
  const { address } = loadWallet(devnet.wallet);
  const mirror = await testMirror({ gateway: [devnet.url], wallet: address, relayerKey: relayer.relayerKey });
  await mirror.reached(3);
  const { body } = await mirror.get(`/api/transactions/${entries[2]?.id}`);
  expect(body.transaction).toMatchObject({ seq: 3, status: expect.stringMatching(/^(ACCEPTED|CONFIRMED)$/) });
  const ledger = await mirror.get('/api/ledger');
  expect([ledger.status, ledger.body.code]).toEqual([503, 'UNAVAILABLE']);
});

longTest('a mirror asks no private address that the service states, but one that its operator names', async () => {
  const product = await service();
  const internal = await badGateway(() => false, product.gatewayUrl);
  const lying = await badGateway(async (request, response) => {
    // The network is the source that matters here.
    if (request.url?.startsWith('/api/ledger/stream')) return Boolean(response.writeHead(404).end());
    if (request.url !== '/api/ledger') return false;
    const { body } = await product.get('/api/ledger');
    response.end(JSON.stringify({ ...body, network: { ...body.network, gateway_url: internal.url } }));
    return true;
  }, product.url);
  const deceived = await testMirror({ of: lying.url, allowPrivate: false });
  await expect
    .poll(() => deceived.following.problems().network, { timeout: 240_000 })
    .toContain('has no public address');
  expect(internal.asked).toEqual([]);

  const place = await mirrorPlace();
  const named = await testMirror({ of: lying.url, allowPrivate: false, gateway: [internal.url] }, place);
  await expect.poll(() => internal.asked.length).toBeGreaterThan(0);
  await named.stop();
  const before = internal.asked.length;
  const again = await testMirror({ of: lying.url, allowPrivate: false }, place);
  await expect.poll(() => internal.asked.length).toBeGreaterThan(before);
  expect(again.following.problems().network).toBeNull();
});
