import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptCheckpoint, acceptProofFile } from '../../../protocol/transparency/test-second-implementation.ts';
import { captureLog, freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Misbehave, startTestWitness, type TestWitness } from './test-witness.ts';

const { log, lines } = captureLog();
const GOOD = ['good.example/one', 'good.example/two', 'good.example/three'] as const;

const endless: Misbehave = (_, response) => {
  response.writeHead(200);
  const write = () => {
    while (response.writable && response.write(Buffer.alloc(65_536, 'a')));
  };
  response.on('drain', write);
  write();
  return true;
};

const drip: Misbehave = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a'), 100);
  response.on('close', () => clearInterval(timer));
  return true;
};

let conflicts = 0;
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Misbehave =>
  (_, response) =>
    !!response.writeHead(code, headers).end(body);

/** What each bad witness does, and the reason that the service gives. */
const BAD: Readonly<Record<string, readonly [behaviour: Misbehave, reason: RegExp]>> = {
  'bad.example/hanging': [() => true, /did not answer within/],
  'bad.example/dripping': [drip, /did not answer within/],
  'bad.example/endless': [endless, /larger than 64 KiB/],
  'bad.example/cut': [(_, response) => !!response.destroy(), /cannot be reached/],
  'bad.example/failing': [status(500), /status 500/],
  'bad.example/redirecting': [status(307, { location: 'http://127.0.0.1:1/add-checkpoint' }), /status 307/],
  'bad.example/unwilling': [status(404), /does not know this log/],
  'bad.example/forked': [status(422), /does not extend the one it cosigned/],
  'bad.example/ahead': [status(409, {}, '1000000\n'), /cosigned a tree of 1000000 entries/],
  'bad.example/undecided': [
    (...call) => status(409, {}, `${conflicts++ % 2}\n`)(...call),
    /another size with every answer/,
  ],
  'bad.example/senseless': [status(200, {}, 'thank you\n'), /response is invalid/],
};

let good: TestWitness[];
let bad: TestWitness[];
let product: TestService;
let logKey: string;
let vkeys: string[];

beforeAll(async () => {
  good = await Promise.all(GOOD.map((name) => startTestWitness(name)));
  bad = await Promise.all(Object.keys(BAD).map((name) => startTestWitness(name)));
  for (const [at, [behaviour]] of Object.values(BAD).entries()) if (bad[at]) bad[at].misbehave = behaviour;
  const WITNESSES = [...good, ...bad].map(({ setting }) => setting).join(',');
  product = await startTestService({ BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25', WITNESSES }, { log });
  logKey = (await product.get('/api/ledger')).body.checkpoint_key;
  vkeys = good.map(({ witness }) => witness.vkey);
});

afterAll(async () => {
  await product.stop();
  await Promise.all([...good, ...bad].map(({ stop }) => stop()));
});

async function create(): Promise<string> {
  const person = newPerson();
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
  return (await product.post('/api/relayer/beo', person.sign('createBEO', fields))).body.transactionId;
}

async function bytesAt(path: string): Promise<Buffer> {
  const response = await fetch(`${product.url}${path}`);
  return Buffer.from(await response.arrayBuffer());
}

const ready = async () => (await product.get('/ready')).body;

/** The size of the newest checkpoint if `quorum` of the good witnesses cosigned it, by the second implementation. */
const cosignedSize = async (quorum: number) =>
  Number(acceptCheckpoint(await bytesAt('/tlog/checkpoint'), logKey, vkeys, quorum)?.size ?? Number.NaN);

test('a witness that does not know the log is named, and cosigns once its operator adds the log', async () => {
  await expect
    .poll(async () => (await ready()).witnesses.problem ?? '', { interval: 100 })
    .toContain(`Witness ${GOOD[0]}: It does not know this log`);
  await expect.poll(() => cosignedSize(0), { interval: 100 }).toBe(0);
  for (const { witness } of good) witness.accept(logKey);
  await expect.poll(() => cosignedSize(3), { interval: 100 }).toBe(0);
  expect((await ready()).witnesses.problem).not.toContain('good.example');
});

test('checkpoints, proofs and writes continue whatever the other witnesses do, and each of these is named', async () => {
  const id = await create();
  await expect.poll(() => cosignedSize(3), { interval: 100 }).toBe(1);
  const proof = await bytesAt(`/tlog/proof/${id}`);
  expect(acceptProofFile(proof, logKey, vkeys, 3)).toBe(true);
  expect(proof.byteLength).toBeLessThan(4_096);
  for (const [name, [, reason]] of Object.entries(BAD)) {
    const sentence = new RegExp(`Witness ${name}: [^:]*${reason.source}`);
    await expect.poll(async () => (await ready()).witnesses.problem, { interval: 200 }).toMatch(sentence);
  }
  expect(await ready()).toMatchObject({ status: 'degraded', witnesses: { ok: false, cosigned: 3, of: 14 } });
  await create();
  await expect.poll(() => cosignedSize(3), { interval: 100 }).toBe(2);
});

test('a witness that reports a larger tree is an error of the log, and one that is missing only a warning', () => {
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a witness does not cosign');
  const levelOf = (name: string) => logged.find(({ witness }) => witness === name)?.level;
  expect([levelOf('bad.example/ahead'), levelOf('bad.example/forked')]).toEqual([50, 50]);
  expect([levelOf('bad.example/cut'), levelOf('bad.example/hanging')]).toEqual([40, 40]);
  // One that repeats its answer is logged once.
  expect(logged.filter(({ witness }) => witness === 'bad.example/failing')).toHaveLength(1);
});

test('a proof keeps the cosignature of a witness that is missing since, and a new checkpoint has those of the others', async () => {
  const id = await create();
  const size = (await product.get('/api/ledger')).body.head.seq;
  await expect.poll(() => cosignedSize(3), { interval: 100 }).toBe(size);
  if (good[2]) good[2].misbehave = status(503);
  await create();
  await expect.poll(() => cosignedSize(2), { interval: 100 }).toBe(size + 1);
  expect(await cosignedSize(3)).toBeNaN();
  expect(acceptProofFile(await bytesAt(`/tlog/proof/${id}`), logKey, vkeys, 3)).toBe(true);
  await expect
    .poll(async () => (await ready()).witnesses.problem, { interval: 200 })
    .toContain(`${GOOD[2]}: It answers`);
  const sizes = (await product.get('/api/ledger')).body.witnesses.slice(0, 3);
  expect(sizes.map((witness: { cosigned_size: number }) => witness.cosigned_size)).toEqual([size + 1, size + 1, size]);
  if (good[2]) good[2].misbehave = null;
  await expect.poll(() => cosignedSize(3), { interval: 100 }).toBe(size + 1);
});
