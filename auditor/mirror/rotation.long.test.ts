import { type KeyObject, sign } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { commit, hexOf, keyCommandsBeside, rotate } from '../../commands/relayer-key/test-key-commands.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import { keyCommitment } from '../../protocol/ledger/relayer-keys.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { createItemSigner, type ItemSigner } from '../../server/ledger/ans104.ts';
import { chain } from '../../server/ledger/chain.ts';
import { readHead } from '../../server/ledger/head.ts';
import type { SignedHead } from '../../server/ledger/read.ts';
import { readKeyPair } from '../../server/platform/data-folder/key-files.ts';
import { accepted } from '../../server/testing/test-load.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import { query, settle } from '../audit/test-operator.ts';
import { checkEvidence, type Evidence } from './evidence.ts';
import { mirrorPlace, type TestMirror, testMirror } from './test-mirror.ts';

const NEVER_MS = '2000000000';
const ITEMS = 'SELECT id, item FROM ledger_entries ORDER BY seq';
const HEAD = 'SELECT ledger_id, relayer_public_key, epoch, seq, id FROM ledger_head';

async function service(settings: Record<string, string> = {}): Promise<TestService> {
  const env = { MAX_STREAM_MS: '600000', BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25', ...settings };
  const started = await startTestService(env);
  onTestFinished(started.stop);
  return started;
}

/** Changes the key of the relayer twice: first to the second key, then to the third. */
function rotations(product: TestService) {
  const { file, run, newKey } = keyCommandsBeside(() => product);
  const [second, third, fourth] = [newKey(), newKey(), newKey()];
  return {
    first: { file: file('relayer.key.old'), publicKey: hexOf(file('relayer.key')) },
    third,
    async rotateFirst() {
      await run(commit(second.digest));
      await run(rotate({ keyFile: second.path, nextKeyDigest: third.digest }));
    },
    async rotateAgain() {
      rmSync(file('relayer.key.old'));
      await run(rotate({ keyFile: third.path, nextKeyDigest: fourth.digest }));
    },
  };
}

const latestSeq = ({ service: { context } }: TestService): number => context.fence.latestSeq();

async function expectSameLedger(mirror: TestMirror, databaseUrl: string, product: TestService): Promise<void> {
  for (const text of [ITEMS, HEAD]) {
    expect(await query(databaseUrl, text)).toEqual(await query(product.databaseUrl, text));
  }
  expect(mirror.following.breach()).toBeNull();
}

test('a mirror follows two changes of the relayer’s key in the stream, one of them while it was stopped', async () => {
  // Nothing is posted: the stream is the only source.
  const product = await service({ BUNDLE_MAX_AGE_MS: NEVER_MS });
  const keys = rotations(product);
  const place = await mirrorPlace();
  const mirror = await testMirror({ of: product.url }, place);
  await accepted(product, 2);
  await mirror.reached(latestSeq(product));
  await keys.rotateFirst();
  await accepted(product, 2);
  await mirror.reached(latestSeq(product));
  await mirror.stop();

  await keys.rotateAgain();
  await accepted(product, 2);
  const again = await testMirror({ of: product.url }, place);
  await again.reached(latestSeq(product));
  await expectSameLedger(again, place.databaseUrl, product);
  const { head, relayer_public_key, relayer_keys } = (await product.get('/api/ledger')).body;
  expect(relayer_public_key).toBe(keys.third.publicKey);
  await expect.poll(async () => (await again.get('/api/ledger')).body.head?.seq, { timeout: 240_000 }).toBe(head.seq);
  expect((await again.get('/api/ledger')).body).toMatchObject({ relayer_public_key, relayer_keys });
  await expect.poll(() => again.following.problems().service).toBeNull();
});

test('a mirror of the network alone follows two changes of the relayer’s key', async () => {
  const product = await service();
  const keys = rotations(product);
  const wallet = product.service.context.network.walletAddress;
  const options = { gateway: [product.gatewayUrl], wallet, relayerKey: keys.first.publicKey };
  const place = await mirrorPlace();
  // It looks at the network once a minute, so each change is made before it starts.
  const follows = async () => {
    await accepted(product, 2);
    await settle(product.databaseUrl);
    const mirror = await testMirror(options, place);
    await mirror.reached(latestSeq(product));
    await expectSameLedger(mirror, place.databaseUrl, product);
    await mirror.stop();
  };
  await accepted(product, 2);
  await keys.rotateFirst();
  await follows();
  await keys.rotateAgain();
  await follows();
});

test('after a change of the relayer’s key, what the replaced key signs for a later place accuses nobody', async () => {
  const product = await service();
  const keys = rotations(product);
  await accepted(product, 2);
  await keys.rotateFirst();
  const ids = await accepted(product, 3);
  const source = await interposed(product.url);
  const mirror = await testMirror({ of: source.url });
  await mirror.reached(latestSeq(product));

  const ledger = await readHead(product.service.context.pool);
  const replaced = readKeyPair(keys.first.file);
  if (!replaced) throw new Error('There is no replaced key.');
  const current = product.service.context.relayer.with(ledger.relayerPublicKey);
  // Both name another entry in the last place.
  const place = { epoch: ledger.epoch, seq: ledger.seq, id: ids[0] ?? '', at: new Date().toISOString() };
  const headBy = (privateKey: KeyObject): SignedHead => {
    const bytes = Buffer.from(canonicalJson({ ledger_id: ledger.ledgerId, ...place }));
    return { ...place, signature: sign(null, bytes, privateKey).toString('base64') };
  };
  const before = { ...ledger, seq: ledger.seq - 1, id: ids.at(-2) as TransactionId };
  const message = { ...keyCommitment(ledger.ledgerId, 'a'.repeat(64)) };
  const draft = { function: message.function, entity_id: ledger.ledgerId, signer: null, signature: null, message };
  const entryBy = (signer: ItemSigner) => chain(signer, before, draft, place.at as Instant).item.toString('base64');

  await source.send(headBy(replaced.privateKey));
  await expect.poll(() => mirror.following.problems().service ?? '').toContain('has not signed');
  expect(mirror.following.breach()).toBeNull();
  await expect.poll(() => mirror.following.problems().service).toBeNull();
  await source.send(headBy(current.privateKey));
  await expect.poll(() => mirror.following.breach()?.kind).toBe('head');

  const [file = ''] = mirror.evidence();
  const evidence = JSON.parse(file) as Evidence;
  const verdictOf = (changes: Partial<Evidence>) => checkEvidence(JSON.stringify({ ...evidence, ...changes })).verdict;
  const verdictOfEntry = (signer: ItemSigner) =>
    verdictOf({ kind: 'equivocation', heads: [], items: [...evidence.items, entryBy(signer)] });
  expect(verdictOf({})).toBe('proven');
  expect(verdictOf({ heads: [headBy(replaced.privateKey)] })).toBe('invalid');
  expect(verdictOfEntry(current.items)).toBe('proven');
  expect(verdictOfEntry(createItemSigner(replaced.privateKey, replaced.publicKey))).toBe('invalid');
});

/** Passes a service on, and adds heads to its open streams. */
async function interposed(target: string) {
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const forwarded = get(`${target}${request.url}`, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      if (request.url?.startsWith('/api/ledger/stream')) streams.add(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => {
      streams.delete(response);
      forwarded.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async send(head: SignedHead) {
      await expect.poll(() => streams.size).toBeGreaterThan(0);
      for (const stream of streams) stream.write(`${JSON.stringify({ head })}\n`);
    },
  };
}
