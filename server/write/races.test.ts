import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeChain } from '../ledger/test-chain.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type SignedBody,
  startTestService,
  type TestService,
} from '../testing/test-service.ts';
import { tally } from './test-races.ts';

/** Two processes with one database, one network and one set of keys. */
let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await startTestService();
  const shared = { DATA_DIR: first.dataDir, GATEWAY_URL: first.gatewayUrl };
  second = await startTestService(shared, { databaseUrl: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const INDEXES = Array.from({ length: 20 }, (_, index) => index);
const twentyConcurrent = (send: (index: number) => Promise<Answer>) => Promise.all(INDEXES.map(send));
const act = (path: string, body: SignedBody, service = first) => service.post(`/api/relayer/beo${path}`, body);
const alternating = (index: number) => (index % 2 ? first : second);
const chain = () => wholeChain(first.service.context.pool);

function creation(person = newPerson(), domain = freshDomain()): SignedBody {
  return person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });
}

async function created() {
  const person = newPerson();
  const answer = await act('', creation(person));
  expect(answer.status).toBe(201);
  return { person, beoId: answer.body.beo_id as string };
}

describe('of twenty concurrent requests', () => {
  test.each([
    ['one process', () => first],
    ['two processes', alternating],
  ])('that are equal, exactly one is accepted, and the others return its transaction: %s', async (_, to) => {
    const body = creation();
    const answers = await twentyConcurrent((index) => act('', body, to(index)));
    expect(tally(answers)).toEqual({ 201: 1, NONCE_REUSED: 19 });
    const accepted = answers.find(({ status }) => status === 201)?.body.transactionId;
    for (const { status, body } of answers) {
      if (status !== 201) expect(body.details).toEqual({ transactionId: accepted });
    }
    expect((await chain()).filter(({ signature }) => signature === body.signature)).toHaveLength(1);
  });

  test.each([
    ['one process', () => first],
    ['two processes', alternating],
  ])('that create identities with one domain, exactly one succeeds: %s', async (_, through) => {
    const domain = freshDomain();
    const answers = await twentyConcurrent((index) =>
      act('', creation(newPerson(), index % 3 ? domain : domain.toUpperCase()), through(index)),
    );
    expect(tally(answers)).toEqual({ 201: 1, DOMAIN_TAKEN: 19 });
    const beoId = answers.find(({ status }) => status === 201)?.body.beo_id;
    expect((await second.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(beoId);
    await chain();
  });

  test('that lock one identity, exactly one succeeds', async () => {
    const { person, beoId } = await created();
    const answers = await twentyConcurrent((index) =>
      act('/lock', person.sign('lockBEO', { beoId }), alternating(index)),
    );
    expect(tally(answers)).toEqual({ 200: 1, ALREADY_LOCKED: 19 });
    expect((await first.get(`/api/beos/${beoId}`)).body.beo).toMatchObject({ status: 'LOCKED' });
    await chain();
  });

  test('that rotate one key, exactly one succeeds, and the signatures of the others become invalid', async () => {
    const { person, beoId } = await created();
    const successors = INDEXES.map(() => newPerson());
    const answers = await twentyConcurrent((index) => {
      const newPublicKey = successors[index]?.publicKey ?? '';
      return act('/rotate-key', person.sign('rotateKey', { beoId, newPublicKey }), alternating(index));
    });
    expect(tally(answers)).toEqual({ 200: 1, INVALID_SIGNATURE: 19 });
    const winner = successors[answers.findIndex(({ status }) => status === 200)];
    const { beo } = (await first.get(`/api/beos/${beoId}`)).body;
    expect(beo).toMatchObject({ public_key: winner?.publicKey, key_version: 2 });
    await chain();
  });

  test('that destroy one identity, exactly one succeeds', async () => {
    const { person, beoId } = await created();
    const answers = await twentyConcurrent((index) =>
      act('/destroy', person.sign('destroyBEO', { beoId }), alternating(index)),
    );
    expect(tally(answers)).toEqual({ 200: 1, BEO_DESTROYED: 19 });
    await chain();
  });

  test('of which one is a rotation, none signed with the old key follows it on the ledger', async () => {
    const { person, beoId } = await created();
    const successor = newPerson();
    const answers = await twentyConcurrent((index) => {
      if (index === 7) {
        const body = person.sign('rotateKey', { beoId, newPublicKey: successor.publicKey });
        return act('/rotate-key', body, alternating(index));
      }
      const [path, name] = index % 2 ? ['/lock', 'lockBEO'] : ['/unlock', 'unlockBEO'];
      return act(path ?? '', person.sign(name ?? '', { beoId }), alternating(index));
    });
    expect(answers[7]?.status).toBe(200);
    for (const { status, body } of answers) {
      expect([200, 'ALREADY_LOCKED', 'NOT_LOCKED', 'INVALID_SIGNATURE']).toContain(body.code ?? status);
    }
    const entries = (await chain()).filter((entry) => entry.entity_id === beoId);
    const rotation = entries.findIndex((entry) => entry.function === 'rotateKey');
    expect(entries.slice(rotation + 1)).toEqual([]);
    const body = successor.sign('lockBEO', { beoId });
    expect([200, 409]).toContain((await act('/lock', body)).status);
  });

  test('of which some are invalid, each receives its own response', async () => {
    const { person, beoId } = await created();
    const taken = freshDomain();
    await act('', creation(newPerson(), taken));
    const used = creation();
    await act('', used);
    const guardian = newPerson().publicKey;
    const expected = INDEXES.map(
      (index) => [201, 'DOMAIN_TAKEN', 'NONCE_REUSED', 'NOT_LOCKED', 'PUBLIC_KEY_TAKEN'][index % 5],
    );
    const answers = await twentyConcurrent((index) => {
      const creator = newPerson();
      const keys = ['primary', 'secondary'].map((role) => ({ name: 'A', contact: 'b', role, public_key: guardian }));
      const repeatedKey = { domain: freshDomain(), publicKey: creator.publicKey, recovery: { guardians: keys } };
      switch (index % 5) {
        case 0:
          return act('', creation());
        case 1:
          return act('', creation(newPerson(), taken));
        case 2:
          return act('', used);
        case 3:
          return act('/unlock', person.sign('unlockBEO', { beoId }));
        default:
          return act('', creator.sign('createBEO', repeatedKey));
      }
    });
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual(expected);
    await chain();
  });
});

test('forty concurrent sequences of requests, alternating between the processes, succeed and form one chain', async () => {
  const sequences = Array.from({ length: 40 }, async (_, index) => {
    const { person, beoId } = await created();
    const successor = newPerson();
    const rotated = await act(
      '/rotate-key',
      person.sign('rotateKey', { beoId, newPublicKey: successor.publicKey }),
      alternating(index),
    );
    const locked = await act('/lock', successor.sign('lockBEO', { beoId }), alternating(index + 1));
    const destroyed = await act('/destroy', successor.sign('destroyBEO', { beoId }), alternating(index));
    return [rotated, locked, destroyed].map(({ status }) => status);
  });
  for (const statuses of await Promise.all(sequences)) expect(statuses).toEqual([200, 200, 200]);
  const entries = await chain();
  const times = entries.map(({ accepted_at }) => accepted_at);
  expect(times).toEqual([...times].sort());
});

test('both processes return the same ledger, and all its entries become final', async () => {
  const seq = (await first.get('/api/ledger')).body.head.seq;
  expect((await second.get('/api/ledger')).body.head.seq).toBe(seq);
  await expect.poll(async () => (await second.get('/api/ledger')).body.entries_final, { interval: 200 }).toBe(seq);
});
