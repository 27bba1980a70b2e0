import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDomain, startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { generateKey } from './keys.ts';
import { loseWrites, startProxy } from './test-proxy.ts';
import { newConsent, newHolder, newInstitution } from './test-story.ts';

let service: TestService;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  proxy = await startProxy(service.url);
  client = createClient({ url: proxy.url, maxWait: 1_500 });
});

afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

const writes = () => proxy.requests.filter(({ method }) => method !== 'GET');
const bodies = () => new Set(writes().map(({ requestBody }) => requestBody));

describe('after a lost response', () => {
  test('the same bytes are repeated, and the first use counts', async () => {
    const key = generateKey();
    proxy.alter(loseWrites(2));
    const created = await client.createBEO(
      { domain: freshDomain(), publicKey: key.publicKey, recovery: null },
      { key },
    );
    expect([created.responseLost, writes().map(({ status }) => status), bodies().size]).toEqual([
      true,
      [201, 409, 409],
      1,
    ]);
    proxy.alter();
    const beo = await client.getBEO(created.beo_id);
    expect([beo.public_key, beo.arweave_tx]).toEqual([key.publicKey, created.transactionId]);
    expect(created.entry.message).toMatchObject({ function: 'createBEO', domain: beo.domain });
    expect(created.receipt).toBe(created.entry.item);
  });

  test('a cut response counts as lost', async () => {
    const { beoId, key } = await newHolder(client);
    let cut = false;
    proxy.alter(({ method, body }) => {
      if (method === 'GET' || cut) return undefined;
      cut = true;
      return { body: body.slice(0, -20) };
    });
    expect((await client.lockBEO({ beoId }, { key })).responseLost).toBe(true);
    proxy.alter();
    expect((await client.getBEO(beoId)).status).toBe('LOCKED');
  });

  // These refuse a copy before they look at its nonce: the identity is gone, the key is another, the consent is revoked.
  test('of what ends an identity or replaces its key, the entry is found through the identity', async () => {
    const [one, two] = [await newHolder(client), await newHolder(client)];
    const newKey = generateKey();
    proxy.alter(loseWrites(1));
    const rotated = await client.rotateBEOKey({ beoId: one.beoId, newPublicKey: newKey.publicKey }, { key: one.key });
    expect([rotated.responseLost, writes().map(({ status }) => status)]).toEqual([true, [200, 401]]);
    proxy.alter(loseWrites(1));
    const destroyed = await client.destroyBEO({ beoId: two.beoId }, { key: two.key });
    expect([destroyed.responseLost, writes().map(({ status }) => status)]).toEqual([true, [200, 410]]);
    proxy.alter();
    expect((await client.getBEO(two.beoId)).status).toBe('DESTROYED');
  });

  test('the outcome is unknown where a later operation hides it', async () => {
    const { beoId, key } = await newHolder(client);
    const [second, third] = [generateKey(), generateKey()];
    const direct = createClient({ url: service.url });
    let lost = false;
    proxy.alter(async ({ method }) => {
      if (method === 'GET' || lost) return undefined;
      lost = true;
      await direct.rotateBEOKey({ beoId, newPublicKey: third.publicKey }, { key: second });
      return 'lost';
    });
    const rotating = client.rotateBEOKey({ beoId, newPublicKey: second.publicKey }, { key });
    await expect(rotating).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', cause: { code: 'INVALID_SIGNATURE' } });
    proxy.alter();
  });

  test('the reason of a refusal is learned by a new request', async () => {
    const { beoId, key } = await newHolder(client);
    await client.lockBEO({ beoId }, { key });
    proxy.alter(loseWrites(1));
    await expect(client.lockBEO({ beoId }, { key })).rejects.toMatchObject({ code: 'ALREADY_LOCKED' });
    expect([writes().map(({ status }) => status), bodies().size]).toEqual([[409, 409, 409], 2]);
    proxy.alter();
  });

  test('a submission is stored once, and its salt is known to be lost', async () => {
    const { holder, clinic, tokenId } = await newConsent(client);
    const use = { targetBeo: holder.beoId, consentToken: tokenId };
    const records = [{ biomarker: 'BSP-CV-001', value: 1, unit: 'mg/dL', collected_at: '2026-01-01T00:00:00.000Z' }];
    proxy.alter(loseWrites(1));
    const submitted = await client.submitRecords({ ...use, records }, { key: clinic.key });
    expect([submitted.responseLost, submitted.salt, submitted.entry.sealed?.length]).toEqual([true, undefined, 64]);
    proxy.alter();
    expect((await client.readRecords(use, { key: clinic.key })).total).toBe(1);
  });

  test('a signed read is signed anew', async () => {
    const { beoId, key } = await newHolder(client);
    proxy.alter(loseWrites(1));
    expect((await client.listAccess({ beoId }, { key })).events).toEqual([]);
    expect([writes().map(({ status }) => status), bodies().size]).toEqual([[200, 200], 2]);
    proxy.alter();
  });

  test('attempts end, and the outcome is then unknown', async () => {
    const { beoId, key } = await newHolder(client);
    const hasty = createClient({ url: proxy.url, retries: 1, maxWait: 100 });
    proxy.alter(loseWrites(9));
    await expect(hasty.lockBEO({ beoId }, { key })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      cause: { code: 'NO_RESPONSE' },
      details: { signature: expect.stringMatching(/==$/) },
    });
    expect([writes().length, bodies().size]).toEqual([2, 1]);
    proxy.alter();
  });
});

describe('a temporary refusal', () => {
  const refuse = (status: number, code: string, retryAfter: string, times = 1) => {
    let left = times;
    proxy.alter(({ method }) =>
      method !== 'GET' && left-- > 0
        ? {
            status,
            headers: { 'retry-after': retryAfter },
            body: JSON.stringify({ error: 'Later.', code, request_id: 'r' }),
          }
        : undefined,
    );
  };

  test('of too many requests is followed by a new request after Retry-After', async () => {
    const { beoId, key } = await newHolder(client);
    // The service has accepted the first request; the client is told that it was over the limit, and signs again.
    refuse(429, 'RATE_LIMITED', '1');
    await expect(client.lockBEO({ beoId }, { key })).rejects.toMatchObject({ code: 'ALREADY_LOCKED' });
    expect(bodies().size).toBe(2);
    proxy.alter();
  });

  test('of an unavailable service is followed by the same bytes', async () => {
    const { beoId, key } = await newHolder(client);
    refuse(503, 'UNAVAILABLE', '1');
    expect((await client.lockBEO({ beoId }, { key })).responseLost).toBe(true);
    expect(bodies().size).toBe(1);
    proxy.alter();
  });

  test('is thrown where it asks for a longer wait than the client allows', async () => {
    const { beoId, key } = await newHolder(client);
    refuse(429, 'RATE_LIMITED', '60');
    await expect(client.lockBEO({ beoId }, { key })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: 60,
      status: 429,
    });
    expect(writes().length).toBe(1);
    proxy.alter();
  });

  test('of a read is repeated', async () => {
    const { ieoId } = await newInstitution(client);
    let left = 2;
    proxy.alter(() => (left-- > 0 ? { status: 502, body: '<html>Bad gateway</html>' } : undefined));
    expect((await client.getIEO(ieoId)).ieo_id).toBe(ieoId);
    proxy.alter();
  });
});
