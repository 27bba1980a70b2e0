import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newHolder, query, testOperator } from '../../../auditor/audit/test-operator.ts';
import { restore } from '../../../commands/restore/rebuild-database.ts';
import { inFull } from '../../../protocol/test-amount.ts';
import { readPolicy, verifyCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import { leafHashOf } from '../../../protocol/transparency/ledger-log.ts';
import { rootOf } from '../../../protocol/transparency/merkle.ts';
import { formatNote, type Note } from '../../../protocol/transparency/note.ts';
import { verifyProofFile } from '../../../protocol/transparency/proof-file.ts';
import { decodeEntryBundle, newTiles, tilePath } from '../../../protocol/transparency/tiles.ts';
import { formatVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import { newSigningKey } from '../../platform/crypto/signed-request.ts';
import { createPool } from '../../platform/db/pool.ts';
import type { Service } from '../../processes/service.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { createPublisher, readCheckpoint, readCheckpointOver } from './checkpoints.ts';
import { type LogIdentity, logIdentity } from './log-identity.ts';
import { proveEntry } from './prove-entry.ts';
import { readTile } from './tiles.ts';

const longTest = inFull(test);

const HOLDERS = 300;
let product: TestService;
let ids: string[];
let policy: ReturnType<typeof readPolicy>;

beforeAll(async () => {
  product = await startTestService({ BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25' });
  ids = await createIdentities(HOLDERS);
  policy = readPolicy({ log: [(await product.get('/api/ledger')).body.checkpoint_key], witnesses: [], quorum: 0 });
  await reached(HOLDERS);
});

afterAll(() => product.stop());

async function createIdentities(count: number): Promise<string[]> {
  const created: string[] = [];
  for (let n = 0; n < count; n += 50) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(50, count - n) }, () => {
        const person = newPerson();
        const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
        return product.post('/api/relayer/beo', person.sign('createBEO', fields));
      }),
    );
    created.push(...answers.map(({ body }) => body.transactionId));
  }
  return created;
}

async function bytesAt(path: string): Promise<Buffer> {
  const response = await fetch(`${product.url}${path}`);
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const reached = (size: number) =>
  vi.waitFor(async () => expect((await checkpoint()).size).toBe(size), { timeout: 240_000, interval: 100 });

const checkpoint = async () => verifyCheckpoint(await bytesAt('/tlog/checkpoint'), policy).checkpoint;

test('the checkpoint is signed by the published key and covers the FINAL entries in their order', async () => {
  const rows = await query<{ id: string }>(product.databaseUrl, 'SELECT id FROM ledger_entries ORDER BY seq');
  expect(Buffer.from((await checkpoint()).root)).toEqual(
    Buffer.from(rootOf(rows.map(({ id }) => leafHashOf(id as never)))),
  );
});

test('every tile that a tree of this size has is served, and the bundles contain the ids', async () => {
  const { size } = await checkpoint();
  const tiles = [...newTiles(0, size)];
  expect(tiles.map(tilePath)).toEqual(['tile/0/000', 'tile/0/001.p/44', 'tile/1/000.p/1']);
  for (const tile of tiles) expect(await bytesAt(`/tlog/${tilePath(tile)}`)).toHaveLength(32 * tile.width);
  const [full, partial] = await Promise.all(['000', '001.p/44'].map((path) => bytesAt(`/tlog/tile/entries/${path}`)));
  const data = [...decodeEntryBundle(full ?? Buffer.of(), 256), ...decodeEntryBundle(partial ?? Buffer.of(), 44)];
  expect(data.map((id) => Buffer.from(id).toString('base64url')).sort()).toEqual([...ids].sort());
});

test('a narrower tile than the newest one is served too, and no other address', async () => {
  const [whole, narrow] = await Promise.all(['001.p/44', '001.p/7'].map((path) => bytesAt(`/tlog/tile/0/${path}`)));
  expect(narrow).toEqual(whole?.subarray(0, 7 * 32));
  for (const path of [
    '0/001',
    '0/001.p/45',
    '0/002.p/1',
    '0/000.p/0',
    '0/000.p/256',
    '1/000',
    '2/000.p/1',
    'entries/001',
    '0/0',
    '0/x000/000',
    '00/000',
    '-1/000',

    '0/000.p',
    'data/000',
    '0/000.p/1/2',
    '64/000',
    '0/x999/x999/x999/x999/x999/999',
  ]) {
    expect(await product.get(`/tlog/tile/${path}`), path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});

test('the proof of every entry verifies offline, and is small', async () => {
  for (const id of [ids[0], ids[149], ids[299]]) {
    const proof = await bytesAt(`/tlog/proof/${id}`);
    const verified = verifyProofFile(proof, policy);
    expect(verified.id).toBe(id);
    expect(verified.entry.function).toBe('createBEO');
    expect(proof.length).toBeLessThan(3_000);
  }
});

test('an unknown entry has no proof', async () => {
  expect(await product.get('/tlog/proof/nothing')).toMatchObject({
    status: 404,
    body: { code: 'TRANSACTION_NOT_FOUND' },
  });
});

test('two processes that grow the tree at once store one checkpoint for a size', async () => {
  const log = logOf(product.service);
  const pool = createPool(product.databaseUrl, 8, () => undefined);
  await createIdentities(20);
  const publishedSize = async () => {
    await Promise.all(Array.from({ length: 4 }, () => createPublisher(pool, log)()));
    return (await checkpoint()).size;
  };
  await expect.poll(publishedSize, { interval: 100 }).toBe(HOLDERS + 20);
  const rows = await query<{ id: string }>(product.databaseUrl, 'SELECT id FROM ledger_entries ORDER BY seq');
  const stored = await query<{ size: string; root: Buffer }>(product.databaseUrl, 'SELECT size, root FROM checkpoints');
  for (const { size, root } of stored) {
    const leaves = rows.slice(0, Number(size)).map(({ id }) => leafHashOf(id as never));
    expect(Buffer.from(rootOf(leaves))).toEqual(root);
  }
  await pool.end();
});

test('a checkpoint whose size was published with an earlier key is signed by the new one', async () => {
  const operator = await testOperator();
  const database = await operator.database();
  const service = await operator.serve(database);
  await newHolder(service);
  await publishedTree(service, 1);
  const { context } = service;
  const { privateKey, publicKey } = newSigningKey();
  const log = logIdentity(context.ledgerId, { privateKey, publicKey: Buffer.from(publicKey, 'hex') });
  await service.stop();

  const pool = createPool(database, 2, () => undefined);
  const publish = createPublisher(pool, log);
  await publish();
  await publish();
  const note = formatNote((await readCheckpoint(pool, log))?.note as Note);
  const newPolicy = readPolicy({ log: [formatVerifierKey(log.key)], witnesses: [], quorum: 0 });
  expect(verifyCheckpoint(Buffer.from(note), newPolicy).checkpoint.size).toBe(1);
  expect((await readCheckpointOver(pool, log, 0))?.size).toBe(1);
  expect(await readCheckpointOver(pool, logOf(service), 0)).toBeNull();
  await pool.end();
});

test('a tree does not grow over entries or hashes that were altered in the database', async () => {
  const before = (await checkpoint()).size;
  const publish = createPublisher(product.service.context.pool, logOf(product.service));
  const refuses = () => expect(publish()).rejects.toThrow('the database was altered');
  const run = (sql: string, values: unknown[] = []) =>
    query<{ id: string; hash: Buffer }>(product.databaseUrl, sql, values);
  const whileAltered = async (seq: number, check: () => Promise<unknown>) => {
    const [entry] = await run('SELECT id FROM ledger_entries WHERE seq = $1', [seq]);
    await run(`UPDATE ledger_entries SET id = repeat('A', 43) WHERE seq = $1`, [seq]);
    await check();
    await run('UPDATE ledger_entries SET id = $2 WHERE seq = $1', [seq, entry?.id]);
  };
  // In the full tile, whose hash is stored.
  await whileAltered(5, refuses);
  await publish();
  const [stored] = await run('SELECT hash FROM tree_hashes WHERE level = 1 AND index = 0');
  await run('UPDATE tree_hashes SET hash = sha256(hash) WHERE level = 1 AND index = 0');
  await refuses();
  await run('UPDATE tree_hashes SET hash = $1 WHERE level = 1 AND index = 0', [stored?.hash]);
  await publish();
  // In the last tile, from which the tree grows.
  await whileAltered(300, async () => {
    await createIdentities(1);
    await vi.waitFor(refuses, { timeout: 240_000 });
    expect((await checkpoint()).size).toBe(before);
  });
});

longTest('a restore reproduces every tile and the checkpoint byte for byte', async () => {
  const operator = await testOperator();
  const database = await operator.database();
  const before = await operator.serve(database);
  for (let n = 0; n < 270; n += 30) await Promise.all(Array.from({ length: 30 }, () => newHolder(before)));
  const tree = await publishedTree(before, 270);
  await before.stop();

  const restored = await operator.database();
  expect((await operator.run((parts) => restore({}, parts), restored)).verdict).toBe('clean');
  const after = await operator.serve(restored, { hold: true });
  expect(await publishedTree(after, 270)).toEqual(tree);
  const later = await newHolder(after);
  expect(await proveEntry(after.context.pool, logOf(after), String(later.answer.transactionId))).toBeNull();
});

const logOf = ({ context: { transparencyLog } }: Service): LogIdentity => {
  if (!transparencyLog) throw new Error('The service has a log.');
  return transparencyLog;
};

/** The note and the tiles of the tree, once it has `size` leaves. */
async function publishedTree(service: Service, size: number) {
  const { pool } = service.context;
  const log = logOf(service);
  const note = await vi.waitFor(
    async () => {
      const published = await readCheckpoint(pool, log);
      expect(published?.size).toBe(size);
      return formatNote(published?.note as Note);
    },
    { timeout: 240_000, interval: 100 },
  );
  const tiles = await Promise.all([...newTiles(0, size)].map((tile) => readTile(pool, tile)));
  return { note, tiles: tiles.map((tile) => tile.toString('hex')) };
}
