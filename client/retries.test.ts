import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull } from '../protocol/test-amount.ts';
import { freshDomain, startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { generateKey } from './keys.ts';
import { loseWrites, startProxy } from './test-proxy.ts';
import { newConsent, newHolder, newInstitution } from './test-story.ts';
import { type Unanswered, UnansweredError } from './write.ts';

const longTest = inFull(test);

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
  longTest('of what ends an identity or replaces its key, the entry is found through the identity', async () => {
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

  longTest('of a resignation, whose guardian is gone, the entry is found through the identity', async () => {
    const [{ beoId, key }, guardian] = [await newHolder(client), generateKey()];
    const who = { name: 'Rosa', contact: 'rosa@example.org', role: 'primary' } as const;
    const { url: link = '', invitation_id: invitationId = '' } = await client.inviteGuardian(
      { beoId, ...who },
      { key },
    );
    const acceptance = { invitationId, beoId, publicKey: guardian.publicKey };
    const { guardian_id: guardianId = '' } = await client.acceptGuardian(acceptance, { key: guardian, link });
    proxy.alter(loseWrites(1));
    const resigned = await client.resignGuardian({ beoId, guardianId }, { key: guardian });
    expect([resigned.responseLost, writes().map(({ status }) => status)]).toEqual([true, [200, 404]]);
    proxy.alter();
  });

  longTest('the outcome is unknown where a later operation hides it', async () => {
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

describe('a write whose outcome is unknown', () => {
  let once: Client;
  beforeAll(() => {
    once = createClient({ url: proxy.url, retries: 0 });
  });

  /** What is left of a write, once it was stored and read again. */
  const leftOf = async (write: Promise<unknown>): Promise<Unanswered> => {
    const error = await write.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof UnansweredError)) throw error ?? new Error('It was answered.');
    return JSON.parse(JSON.stringify(error.unanswered));
  };

  test('goes on in a later call with the same bytes, which shows that it was accepted', async () => {
    const { beoId, key } = await newHolder(client);
    proxy.alter(loseWrites(2));
    const first = await leftOf(once.lockBEO({ beoId }, { key }));
    const second = await leftOf(once.lockBEO({ beoId }, { key, unanswered: first }));
    const locked = await once.lockBEO({ beoId }, { key, unanswered: second });
    expect([locked.responseLost, bodies().size, writes().map(({ status }) => status)]).toEqual([
      true,
      1,
      [200, 409, 409],
    ]);
    proxy.alter();
  });

  test('goes on with the request that never arrived', async () => {
    const { beoId, key } = await newHolder(client);
    const nowhere = createClient({
      url: proxy.url,
      retries: 0,
      fetch: (address, init) => (init?.method === 'POST' ? Promise.reject(new Error('cut')) : fetch(address, init)),
    });
    const unanswered = await leftOf(nowhere.lockBEO({ beoId }, { key }));
    proxy.alter();
    expect((await once.lockBEO({ beoId }, { key, unanswered })).responseLost).toBe(false);
  });

  test('is signed again once its nonce turns out to have made no entry', async () => {
    const { beoId, key } = await newHolder(client);
    await client.lockBEO({ beoId }, { key });
    proxy.alter(loseWrites(1));
    const unanswered = await leftOf(once.lockBEO({ beoId }, { key }));
    await expect(once.lockBEO({ beoId }, { key, unanswered })).rejects.toMatchObject({ code: 'ALREADY_LOCKED' });
    expect([writes().map(({ status }) => status), bodies().size]).toEqual([[409, 409, 409], 2]);
    proxy.alter();
  });

  longTest(
    'stays unknown where the rate limit refuses the repetition unread, or its entry cannot be read',
    async () => {
      const { beoId, key } = await newHolder(client);
      proxy.alter(loseWrites(1));
      const unanswered = await leftOf(once.lockBEO({ beoId }, { key }));
      const busy = { status: 429, body: JSON.stringify({ error: 'Later.', code: 'RATE_LIMITED', request_id: 'r' }) };
      proxy.alter(({ method }) => (method === 'GET' ? undefined : busy));
      expect(await leftOf(once.lockBEO({ beoId }, { key, unanswered }))).toEqual(unanswered);
      proxy.alter(({ method }) => (method === 'GET' ? 'lost' : undefined));
      expect(await leftOf(once.lockBEO({ beoId }, { key, unanswered }))).toEqual(unanswered);
      proxy.alter();
      expect((await once.lockBEO({ beoId }, { key, unanswered })).responseLost).toBe(true);
    },
  );

  longTest(
    'after an unexpected failure, which keeps its code, or a response from something before the service',
    async () => {
      const { beoId, key } = await newHolder(client);
      const failed = { status: 500, body: JSON.stringify({ error: 'Oh.', code: 'INTERNAL', request_id: 'r' }) };
      for (const [answer, code] of [
        [failed, 'INTERNAL'],
        [{ status: 403, body: '<html>Log in to this network</html>' }, 'UNEXPECTED_RESPONSE'],
      ] as const) {
        proxy.alter(({ method }) => (method === 'GET' ? undefined : answer));
        const lost = once.unlockBEO({ beoId }, { key }).catch((error: unknown) => error);
        expect(await lost).toMatchObject({ code, unanswered: { request: expect.anything() } });
      }
      proxy.alter();
    },
  );

  longTest('is not confused with another one', async () => {
    const [one, two] = [await newHolder(client), await newHolder(client)];
    proxy.alter(loseWrites(1));
    const unanswered = await leftOf(once.lockBEO({ beoId: one.beoId }, { key: one.key }));
    proxy.alter();
    const wrong = { code: 'ARGUMENT_INVALID' };
    await expect(once.lockBEO({ beoId: two.beoId }, { key: two.key, unanswered })).rejects.toMatchObject(wrong);
    const [instituteKey = ''] = service.instituteKeys;
    const decision = { ieoId: one.beoId, level: 'BASIC' } as const;
    const decided = once.updateCertification(decision, { instituteKey, unanswered });
    await expect(decided).rejects.toMatchObject(wrong);
    expect(writes()).toEqual([]);
  });

  test('of the institute goes on under the same idempotency key, and is accepted once', async () => {
    const { ieoId } = await newInstitution(client);
    const [instituteKey = ''] = service.instituteKeys;
    const proposal = {
      action: 'suspendIEO',
      params: { ieoId, reason: 'A complaint.' },
      justification: 'It was true.',
    } as const;
    proxy.alter(loseWrites(1));
    const unanswered = await leftOf(once.openProposal(proposal, { instituteKey }));
    const opened = await once.openProposal(proposal, { instituteKey, unanswered });
    proxy.alter();
    const { proposals } = await client.listProposals({}, { instituteKey });
    const about = proposals.filter(({ institution }) => institution.ieo_id === ieoId);
    expect(about.map(({ proposal_id: id }) => id)).toEqual([opened.entry.entityId]);

    const tooLate = createClient({ url: proxy.url, retries: 0, now: () => Date.now() + 6 * 60_000 });
    proxy.requests.length = 0;
    const late = tooLate.openProposal(proposal, { instituteKey, unanswered });
    await expect(late).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', unanswered });
    expect(writes()).toEqual([]);
  });
});

describe('a clock that is wrong', () => {
  const DAY_MS = 24 * 3_600_000;

  /** A client of a device whose clock is off, and which learns the server's time from each response. */
  const correctedClient = (off: number) => {
    const clock = () => Date.now() + off;
    let skew = 0;
    return createClient({
      url: proxy.url,
      retries: 0,
      trusted: client.trusted(),
      now: () => clock() - skew,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        skew = clock() - Date.parse(response.headers.get('date') ?? '');
        return response;
      },
    });
  };

  test.each([
    [-DAY_MS, 'TIMESTAMP_TOO_OLD'],
    [DAY_MS, 'TIMESTAMP_IN_FUTURE'],
  ])('by %i ms costs one refusal where `now` is corrected by it', async (off, code) => {
    const { beoId, key } = await newHolder(client);
    for (const call of [
      () => correctedClient(off).lockBEO({ beoId }, { key }),
      () => correctedClient(off).listGuardians({ beoId }, { key }),
    ]) {
      proxy.alter();
      await call();
      expect(writes().map(({ body }) => JSON.parse(body).code)).toEqual([code, undefined]);
    }
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

  test('is repeated where the client chooses to, after a pause that it is told', async () => {
    const { beoId, key } = await newHolder(client);
    const waits: number[] = [];
    const onWait = (ms: number) => waits.push(ms);
    const chosen = createClient({ url: proxy.url, onWait, repeats: ({ status }) => status === 429 });
    refuse(429, 'RATE_LIMITED', '1');
    await expect(chosen.unlockBEO({ beoId }, { key })).rejects.toMatchObject({ code: 'NOT_LOCKED' });
    expect(waits).toEqual([expect.closeTo(1_500, -3)]);
    refuse(503, 'UNAVAILABLE', '1');
    await expect(chosen.lockBEO({ beoId }, { key })).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(waits.length).toBe(1);
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
