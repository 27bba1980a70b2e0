import { verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { publicKeyObject } from '../platform/crypto/node-ed25519.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { openReceipt, wholeChain } from './test-chain.ts';

const ENTRIES = 230;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const answers = await Promise.all(
    Array.from({ length: ENTRIES }, () => {
      const person = newPerson();
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
      return service.post('/api/relayer/beo', person.sign('createBEO', fields));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
});
afterAll(() => service.stop());

async function lines(query: string) {
  const answer = await service.get(`/api/ledger/entries${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/jsonl/);
  const text = answer.body as string;
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('the ledger', () => {
  test('returns its head, signed by the relayer', async () => {
    const { status, body } = await service.get('/api/ledger');
    expect(status).toBe(200);
    const entries = await wholeChain(service.service.context.pool);
    expect(body).toEqual({
      ledger_id: service.service.context.ledgerId,
      head: {
        epoch: 1,
        seq: ENTRIES,
        id: entries.at(-1)?.id,
        at: expect.any(String),
        signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
      },
      relayer_keys: [],
      relayer_public_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      checkpoint_key: expect.stringMatching(
        new RegExp(`^perpetua/${service.service.context.ledgerId}\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}$`),
      ),
      witnesses: [],
      wallet_address: service.service.context.network.walletAddress,
      network: { kind: 'devnet', gateway_url: service.gatewayUrl, permanent: false },
      entries_final: expect.any(Number),
      max_posting_delay_seconds: 86_400,
    });
    const { signature, ...place } = body.head;
    const signed = Buffer.from(canonicalJson({ ledger_id: body.ledger_id, ...place }));
    const key = publicKeyObject(Buffer.from(body.relayer_public_key, 'hex'));
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
    const other = Buffer.from(canonicalJson({ ledger_id: body.ledger_id, ...place, seq: place.seq + 1 }));
    expect(verify(null, other, key, Buffer.from(signature, 'base64'))).toBe(false);
  });

  test('is read in pages from the beginning, oldest first, each entry once', async () => {
    const first = await lines('');
    expect(first.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(Object.keys(first[0])).toEqual(['id', 'epoch', 'seq', 'status', 'l1_tx', 'item']);
    const ids: string[] = [];
    let after = 0;
    for (let page = await lines('?limit=47'); page.length > 0; page = await lines(`?after=${after}&limit=47`)) {
      ids.push(...page.map(({ id }) => id));
      after = page.at(-1).seq;
    }
    const chain = await wholeChain(service.service.context.pool);
    expect(ids).toEqual(chain.map(({ id }) => id));
    const whole = await lines('?limit=1000');
    expect(whole).toHaveLength(ENTRIES);
    for (const { id, item } of whole) expect(openReceipt(item).item.id).toBe(id);
    expect(await lines(`?after=${ENTRIES}`)).toEqual([]);
    const idsOf = async (query: string) => (await lines(query)).map(({ id }) => id);
    for (const query of ['?limit=1001', '?limit=99999999999999999999']) expect(await idsOf(query)).toEqual(ids);
    expect(await idsOf('?limit=&after=')).toEqual(ids.slice(0, 100));
    expect(await lines(`?after=${Number.MAX_SAFE_INTEGER}`)).toEqual([]);
  });

  test.each(['limit=0', 'limit=-1', 'limit=ten', 'after=-1', 'after=1e3', 'after=99999999999999999'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await service.get(`/api/ledger/entries?${query}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.details.issues[0].path).toBe(query.split('=')[0]);
    },
  );

  test('refuses unknown and repeated query parameters', async () => {
    for (const query of ['?page=2', '?limit=1&limit=2', '?after=1&__proto__=x']) {
      const { status, body } = await service.get(`/api/ledger/entries${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'VALIDATION_FAILED']);
    }
    expect((await service.get('/api/ledger?x=1')).status).toBe(400);
  });

  test('finds a transaction by its id only', async () => {
    const [first] = await lines('?limit=1');
    const found = await service.get(`/api/transactions/${first.id}`);
    expect(found.body.transaction).toMatchObject({ id: first.id, seq: 1, prev: null });
    const second = (await lines('?after=1&limit=1'))[0];
    expect((await service.get(`/api/transactions/${second.id}`)).body.transaction.prev).toBe(first.id);
    for (const id of ['A'.repeat(43), 'nonsense', '%00', first.id.toLowerCase(), `${first.id}=`]) {
      const { status, body } = await service.get(`/api/transactions/${id}`);
      expect([id, status, body.code]).toEqual([id, 404, 'TRANSACTION_NOT_FOUND']);
    }
  });

  test('moves every entry to FINAL and counts them', async () => {
    const final = async () => (await service.get('/api/ledger')).body.entries_final;
    await expect.poll(final, { interval: 200 }).toBe(ENTRIES);
    const whole = await lines('?limit=1000');
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set(['FINAL']));
  });
});
