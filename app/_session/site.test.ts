import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { generateKey } from '../../client/keys.ts';
import { loseWrites, startProxy } from '../../client/test-proxy.ts';
import { measurement, newConsent, newHolder } from '../../client/test-story.ts';
import { startTestService, type TestService } from '../../server/testing/test-service.ts';
import type { Fields } from './send.ts';
import { createSite } from './site.ts';

let service: TestService;
let proxy: Awaited<ReturnType<typeof startProxy>>;
const direct = () => createClient({ url: service.url });

beforeAll(async () => {
  service = await startTestService();
  proxy = await startProxy(service.url);
});
afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

/** A page, with the clock of its device. */
const newPage = (now: () => number = Date.now) => createSite({ url: proxy.url, retries: 0, now });
const bodies = () =>
  new Set(proxy.requests.filter(({ method }) => method !== 'GET').map(({ requestBody }) => requestBody));
const refusal = (status: number, code: string) => ({
  status,
  body: JSON.stringify({ error: 'No.', code, request_id: 'r' }),
});
const onWrites = (answer: object) => proxy.alter(({ method }) => (method === 'GET' ? undefined : answer));
const LATE_MS = 6 * 60_000;

describe('a request without a response, when it is asked for again', () => {
  test('is repeated with the same signature, and is done once', async () => {
    const { beoId, key } = await newHolder(direct());
    const page = newPage();
    proxy.alter(loseWrites(1));
    const lost = await page.send('lockBEO', { beoId }, { key });
    expect(lost).toMatchObject({ ok: false, failure: { code: 'UNREACHABLE' } });
    const sent = await page.send('lockBEO', { beoId }, { key });
    expect([sent, bodies().size]).toMatchObject([{ ok: true, function: 'lockBEO', answer: null }, 1]);
  });

  test('keeps its signature after a refusal that did not read it, and after a failure of the server', async () => {
    const { beoId, key } = await newHolder(direct());
    const page = newPage();
    for (const [status, code] of [
      [500, 'INTERNAL'],
      [429, 'RATE_LIMITED'],
      [503, 'UNAVAILABLE'],
    ] as const) {
      onWrites(refusal(status, code));
      expect(await page.send('lockBEO', { beoId }, { key })).toMatchObject({ ok: false, failure: { code } });
    }
    proxy.requests.length = 0;
    onWrites({});
    expect(await page.send('lockBEO', { beoId }, { key })).toMatchObject({ ok: true, answer: null });
    expect(bodies().size).toBe(1);
  });

  test('is uncertain if it is too old and another operation followed, and signed again if it is harmless twice', async () => {
    const { beoId, key } = await newHolder(direct());
    let clock = Date.now() - LATE_MS;
    const page = newPage(() => clock);
    proxy.alter(({ method }) => (method === 'GET' ? undefined : 'lost'));
    await page.send('requireConfirmedGuardians', { beoId }, { key });
    await page.send('lockBEO', { beoId }, { key });
    clock = Date.now();
    proxy.alter();
    const late = await page.send('requireConfirmedGuardians', { beoId }, { key });
    expect(late).toMatchObject({ ok: false, failure: { code: 'UNCERTAIN' } });
    expect(await page.send('lockBEO', { beoId }, { key })).toMatchObject({ ok: true, function: 'lockBEO' });
  });
});

test('a refusal is final: what is asked for again is signed anew', async () => {
  const { beoId, key } = await newHolder(direct());
  const page = newPage();
  proxy.alter();
  for (const _ of [1, 2]) {
    const sent = await page.send('unlockBEO', { beoId }, { key });
    expect(sent).toMatchObject({ ok: false, failure: { code: 'NOT_LOCKED' } });
  }
  expect(bodies().size).toBe(2);
});

test('a receipt of another operation is reported as unverified', async () => {
  const [one, other] = [await newHolder(direct()), await newHolder(direct())];
  const { receipt, transactionId } = await direct().lockBEO({ beoId: other.beoId }, { key: other.key });
  proxy.alter(({ method, body }) =>
    method === 'GET' ? undefined : { body: JSON.stringify({ ...JSON.parse(body), receipt, transactionId }) },
  );
  const sent = await newPage().send('lockBEO', { beoId: one.beoId }, { key: one.key });
  expect(sent).toMatchObject({ ok: false, failure: { code: 'UNVERIFIED' } });
  proxy.alter();
});

test('a signed read has the ledger of the page', async () => {
  const key = generateKey();
  const page = createSite({ url: proxy.url, trusted: { ledgerId: 'aa', head: null } });
  const body = await page.sign(key, 'listGuardians', { beoId: 'a' });
  expect(Object.keys(body).sort()).toEqual(['beoId', 'ledgerId', 'nonce', 'signature', 'timestamp']);
});

describe('a submission', () => {
  const submissionOf = async () => {
    const { holder, clinic, tokenId } = await newConsent(direct());
    const records: Fields[] = [measurement(1)];
    return { key: clinic.key, fields: { targetBeo: holder.beoId, consentToken: tokenId, records } };
  };

  test('is repeated until a response arrives, and through a rate limit', async () => {
    const { key, fields } = await submissionOf();
    const limits: number[] = [];
    let requests = 0;
    proxy.alter(({ method }) => {
      if (method === 'GET') return undefined;
      requests += 1;
      return requests === 1
        ? { ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '1' } }
        : requests === 2
          ? 'lost'
          : undefined;
    });
    const options = { key, unanswered: null, onLimited: (ms: number) => limits.push(ms) };
    const posted = await newPage().submit(fields, options);
    expect(posted).toMatchObject({ ok: true, answer: null });
    expect(limits).toEqual([expect.closeTo(1_500, -3)]);
    proxy.alter();
  });

  test('has its receipt, its salt and the ids of its records', async () => {
    const { key, fields } = await submissionOf();
    proxy.alter();
    const posted = await newPage().submit(fields, { key, unanswered: null, onLimited: () => {} });
    expect(posted).toMatchObject({
      ok: true,
      answer: { salt: expect.stringMatching(/^[0-9a-f]{64}$/), record_ids: [expect.any(String)] },
    });
  });

  test('whose records are refused is certainly not accepted', async () => {
    const { key, fields } = await submissionOf();
    const wrong = { ...fields, records: [{ ...measurement(1), biomarker: 'NONE' }] };
    const posted = await newPage().submit(wrong, { key, unanswered: null, onLimited: () => {} });
    expect(posted).toMatchObject({ ok: false, failure: { code: 'RECORD_INVALID' }, unanswered: null });
  });
});
