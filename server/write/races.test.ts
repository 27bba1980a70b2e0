import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wholeChain } from '../ledger/test-chain.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type SignedBody,
  startTestService,
  type TestService,
} from '../test-service.ts';
import { tally } from './test-races.ts';

/** Two processes' worth of service on one database, one network and one set of keys. */
let one: TestService;
let two: TestService;
beforeAll(async () => {
  one = await startTestService();
  const shared = { DATA_DIR: one.dataDir, GATEWAY_URL: one.gatewayUrl };
  two = await startTestService(shared, { databaseUrl: one.databaseUrl });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const TWENTY = Array.from({ length: 20 }, (_, index) => index);
const atOnce = (ask: (index: number) => Promise<Answer>) => Promise.all(TWENTY.map(ask));
const act = (path: string, body: SignedBody, service = one) => service.post(`/api/relayer/beo${path}`, body);
const either = (index: number) => (index % 2 ? one : two);
const chain = () => wholeChain(one.service.context.pool);

function creation(person = newPerson(), domain = freshDomain()): SignedBody {
  return person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });
}

async function created() {
  const person = newPerson();
  const answer = await act('', creation(person));
  expect(answer.status).toBe(201);
  return { person, beoId: answer.body.beo_id as string };
}

describe('of twenty at once', () => {
  test.each([
    ['one process', () => one],
    ['two processes', either],
  ])('that are copies of one request to %s exactly one is accepted, and the others are told which', async (_, to) => {
    const body = creation();
    const answers = await atOnce((index) => act('', body, to(index)));
    expect(tally(answers)).toEqual({ 201: 1, NONCE_REUSED: 19 });
    const accepted = answers.find(({ status }) => status === 201)?.body.transactionId;
    for (const { status, body } of answers) {
      if (status !== 201) expect(body.details).toEqual({ transactionId: accepted });
    }
    expect((await chain()).filter(({ signature }) => signature === body.signature)).toHaveLength(1);
  });

  test.each([
    ['one process', () => one],
    ['two processes', either],
  ])('who want one domain from %s exactly one gets it', async (_, from) => {
    const domain = freshDomain();
    const answers = await atOnce((index) =>
      act('', creation(newPerson(), index % 3 ? domain : domain.toUpperCase()), from(index)),
    );
    expect(tally(answers)).toEqual({ 201: 1, DOMAIN_TAKEN: 19 });
    const beoId = answers.find(({ status }) => status === 201)?.body.beo_id;
    expect((await two.get(`/api/beos/domain/${domain}`)).body.beo.beo_id).toBe(beoId);
    await chain();
  });

  test('locks of one identity exactly one locks it', async () => {
    const { person, beoId } = await created();
    const answers = await atOnce((index) => act('/lock', person.sign('lockBEO', { beoId }), either(index)));
    expect(tally(answers)).toEqual({ 200: 1, ALREADY_LOCKED: 19 });
    expect((await one.get(`/api/beos/${beoId}`)).body.beo).toMatchObject({ status: 'LOCKED' });
    await chain();
  });

  test('rotations by one key exactly one counts; the others were signed by a key that is gone', async () => {
    const { person, beoId } = await created();
    const successors = TWENTY.map(() => newPerson());
    const answers = await atOnce((index) => {
      const newPublicKey = successors[index]?.publicKey ?? '';
      return act('/rotate-key', person.sign('rotateKey', { beoId, newPublicKey }), either(index));
    });
    expect(tally(answers)).toEqual({ 200: 1, INVALID_SIGNATURE: 19 });
    const winner = successors[answers.findIndex(({ status }) => status === 200)];
    const { beo } = (await one.get(`/api/beos/${beoId}`)).body;
    expect(beo).toMatchObject({ public_key: winner?.publicKey, key_version: 2 });
    await chain();
  });

  test('destructions of one identity exactly one destroys it', async () => {
    const { person, beoId } = await created();
    const answers = await atOnce((index) => act('/destroy', person.sign('destroyBEO', { beoId }), either(index)));
    expect(tally(answers)).toEqual({ 200: 1, BEO_DESTROYED: 19 });
    await chain();
  });

  test('a rotation among locks: whatever comes behind it in the ledger was not signed by the old key', async () => {
    const { person, beoId } = await created();
    const successor = newPerson();
    const answers = await atOnce((index) => {
      if (index === 7) {
        const body = person.sign('rotateKey', { beoId, newPublicKey: successor.publicKey });
        return act('/rotate-key', body, either(index));
      }
      const [path, name] = index % 2 ? ['/lock', 'lockBEO'] : ['/unlock', 'unlockBEO'];
      return act(path ?? '', person.sign(name ?? '', { beoId }), either(index));
    });
    expect(answers[7]?.status).toBe(200);
    for (const { status, body } of answers) {
      expect([200, 'ALREADY_LOCKED', 'NOT_LOCKED', 'INVALID_SIGNATURE']).toContain(body.code ?? status);
    }
    const about = (await chain()).filter((entry) => entry.entity_id === beoId);
    const rotation = about.findIndex((entry) => entry.function === 'rotateKey');
    expect(about.slice(rotation + 1)).toEqual([]);
    const body = successor.sign('lockBEO', { beoId });
    expect([200, 409]).toContain((await act('/lock', body)).status);
  });

  test('some of which are wrong, each gets its own answer', async () => {
    const { person, beoId } = await created();
    const taken = freshDomain();
    await act('', creation(newPerson(), taken));
    const used = creation();
    await act('', used);
    const guardian = newPerson().publicKey;
    const expected = TWENTY.map(
      (index) => [201, 'DOMAIN_TAKEN', 'NONCE_REUSED', 'NOT_LOCKED', 'PUBLIC_KEY_TAKEN'][index % 5],
    );
    const answers = await atOnce((index) => {
      const asked = newPerson();
      const keys = ['primary', 'secondary'].map((role) => ({ name: 'A', contact: 'b', role, public_key: guardian }));
      const twice = { domain: freshDomain(), publicKey: asked.publicKey, recovery: { guardians: keys } };
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
          return act('', asked.sign('createBEO', twice));
      }
    });
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual(expected);
    await chain();
  });
});

test('a create and what its holder does next, forty times at once through both, end in one order for all', async () => {
  const stories = Array.from({ length: 40 }, async (_, index) => {
    const { person, beoId } = await created();
    const successor = newPerson();
    const rotated = await act(
      '/rotate-key',
      person.sign('rotateKey', { beoId, newPublicKey: successor.publicKey }),
      either(index),
    );
    const locked = await act('/lock', successor.sign('lockBEO', { beoId }), either(index + 1));
    const destroyed = await act('/destroy', successor.sign('destroyBEO', { beoId }), either(index));
    return [rotated, locked, destroyed].map(({ status }) => status);
  });
  for (const statuses of await Promise.all(stories)) expect(statuses).toEqual([200, 200, 200]);
  const entries = await chain();
  const times = entries.map(({ accepted_at }) => accepted_at);
  expect(times).toEqual([...times].sort());
});

test('both processes answer the same ledger, and everything in it reaches the network once', async () => {
  const seq = (await one.get('/api/ledger')).body.head.seq;
  expect((await two.get('/api/ledger')).body.head.seq).toBe(seq);
  await expect.poll(async () => (await two.get('/api/ledger')).body.entries_final, { interval: 200 }).toBe(seq);
});
