import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { inFull } from '../../../protocol/test-amount.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../../ledger/test-chain.ts';
import { readNetwork } from '../../ledger/test-network.ts';
import { expectAllFinal } from '../../testing/test-load.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';
import { type ConsentParties, type Exchange, exchangeOf, measurement, measurements, SUBMIT } from './test-exchange.ts';

const longTest = inFull(test);

let strict: TestService;
let lenient: TestService;
let publishing: TestService;
beforeAll(async () => {
  [strict, lenient, publishing] = await Promise.all([
    startTestService(),
    startTestService({ ACCEPT_COUNT_ONLY_SUBMISSIONS: 'true' }),
    startTestService({ RECORDS_ON_NETWORK: 'ciphertext' }),
  ]);
});
afterAll(() => Promise.all([strict.stop(), lenient.stop(), publishing.stop()]));

interface CountOnly {
  readonly records?: Json;
  readonly recordCount?: number;
  /** Whether the body also contains the number. */
  readonly inBody?: boolean;
}

/** Sends records with a signature that covers only their number, as some deployed clients do. */
function submitCountOnly(
  service: TestService,
  exchange: Exchange,
  use: ConsentParties,
  more: CountOnly = {},
): Promise<Answer> {
  const { records = measurements(3), recordCount = 3, inBody = true } = more;
  const { recordCount: _, ...body } = exchange.signed(use, 'submitRecords', { recordCount });
  return service.post(SUBMIT, { ...body, records, ...(inBody ? { recordCount } : {}) });
}

const entryOf = ({ body }: Answer) => openReceipt(body.receipt).entry;
const publicOf = (answer: Answer) => (entryOf(answer) as unknown as { public: Record<string, string[]> }).public;

describe('a signature that covers only the number of records', () => {
  test('is refused by default with its own error code, without using the nonce', async () => {
    const exchange = exchangeOf(strict);
    const use = await exchange.newConsent();
    for (const inBody of [true, false]) {
      expectRefusal(await submitCountOnly(strict, exchange, use, { inBody }), 'SIGNATURE_DOES_NOT_COVER_RECORDS');
    }
    expect((await exchange.page(use)).total).toBe(0);
    const envelope = { nonce: '0123456789abcdef', timestamp: new Date().toISOString() };
    const fields = { targetBeo: use.holder.id, consentToken: use.tokenId };
    const countOnly = use.by.person.sign('submitRecords', { ...fields, recordCount: 1 }, envelope);
    expectRefusal(
      await strict.post(SUBMIT, { ...countOnly, records: [measurement()] }),
      'SIGNATURE_DOES_NOT_COVER_RECORDS',
    );
    const full = use.by.person.sign('submitRecords', { ...fields, records: [measurement()] }, envelope);
    expect((await strict.post(SUBMIT, full)).status).toBe(201);
  });

  test('is accepted if the operator allows it, and the vault keeps the signed message', async () => {
    const exchange = exchangeOf(lenient);
    const use = await exchange.newConsent();
    for (const inBody of [true, false]) {
      const answer = await submitCountOnly(lenient, exchange, use, { inBody });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const entry = entryOf(answer) as unknown as { sealed: string; signature: null };
      expect(entry.signature).toBe(null);
      const stored = await lenient.service.context.vault.read(lenient.service.context.pool, `sealed:${entry.sealed}`);
      const { salt, signature, message } = stored as { salt: string; signature: string; message: Record<string, Json> };
      expect(message).toMatchObject({ function: 'submitRecords', recordCount: 3 });
      const { records: _, ...signed } = message;
      const digest = createHash('sha256').update(Buffer.from(salt, 'hex')).update(Buffer.from(signature, 'base64'));
      expect(digest.update(canonicalJson(signed)).digest('hex')).toBe(entry.sealed);
      expect(answer.body.salt).toBe(salt);
    }
    expect((await exchange.page(use)).total).toBe(6);
    await exchange.submitted(use, measurements(2));
    await wholeChain(lenient.service.context.pool);
  });

  test('is invalid with another number or another key', async () => {
    const exchange = exchangeOf(lenient);
    const [use, unrelated] = [await exchange.newConsent(), await exchange.newConsent()];
    for (const recordCount of [2, 4, 0]) {
      expectRefusal(await submitCountOnly(lenient, exchange, use, { recordCount }), 'INVALID_SIGNATURE');
      expectRefusal(await submitCountOnly(lenient, exchange, use, { recordCount, inBody: false }), 'INVALID_SIGNATURE');
    }
    expectRefusal(await submitCountOnly(lenient, exchange, { ...use, by: unrelated.by }), 'INVALID_SIGNATURE');
    for (const service of [strict, lenient]) {
      const exchange = exchangeOf(service);
      const { records: _, ...body } = exchange.submission(await exchange.newConsent(), measurements(3));
      const answer = await service.post(SUBMIT, { ...body, records: measurements(4) });
      expectRefusal(answer, 'INVALID_SIGNATURE');
    }
    expect((await exchange.page(use)).total).toBe(0);
  });

  test('is refused with a number that is not an integer', async () => {
    const exchange = exchangeOf(lenient);
    const use = await exchange.newConsent();
    for (const recordCount of ['3', 1.5, {}]) {
      const body = { ...exchange.submission(use, measurements(3)), recordCount };
      expectRefusal(await lenient.post(SUBMIT, body), 'VALIDATION_FAILED');
    }
  });
});

describe('with RECORDS_ON_NETWORK=ciphertext', () => {
  test('the entry contains the ciphertexts stored in the vault', async () => {
    const exchange = exchangeOf(publishing);
    const use = await exchange.newConsent();
    const secret = 'Quecksilbervergiftung';
    const answer = await exchange.submit(use, [measurement({ value: secret }), measurement({ note: secret })]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { commitments, ciphertexts = [] } = publicOf(answer);
    expect([commitments?.length, ciphertexts.length]).toEqual([2, 2]);
    const { rows } = await publishing.service.context.pool.query<{ ciphertext: Buffer }>(
      'SELECT ciphertext FROM records WHERE owner_id = $1 ORDER BY position',
      [use.holder.id],
    );
    expect(ciphertexts).toEqual(rows.map(({ ciphertext }) => ciphertext.toString('base64')));
    const item = Buffer.from(answer.body.receipt, 'base64').toString('latin1');
    const decoded = ciphertexts.map((text) => Buffer.from(text, 'base64').toString('latin1')).join('\n');
    expect(`${item}\n${decoded}`).not.toContain(secret);
    expect((await exchange.page(use)).total).toBe(2);
  });

  longTest('a batch larger than a bundle reaches the network once, as do later entries', async () => {
    const exchange = exchangeOf(publishing);
    const use = await exchange.newConsent();
    const large = measurements(100, (index) => ({ note: `${index}`.repeat(2).padEnd(9_000, 'x') }));
    const sent = [await exchange.submit(use, large), await exchange.submit(use, measurements(1))];
    sent.push(await exchange.submit(use, large), await exchange.submit(use, large));
    for (const { status } of sent) expect(status).toBe(201);
    const [first, second] = sent.map(({ body }) => Buffer.byteLength(body.receipt, 'base64'));
    expect(first).toBeGreaterThan(1024 * 1024);
    expect(second).toBeLessThan(10_000);
    await expectAllFinal(publishing);
    const { arweave, network, pool } = publishing.service.context;
    const { transactions, items } = await readNetwork(arweave, network.walletAddress);
    const { rows: entries } = await pool.query('SELECT id FROM ledger_entries ORDER BY seq');
    const { rows: bundles } = await pool.query('SELECT l1_tx FROM bundles');
    expect(items).toEqual(entries.map(({ id }) => id));
    expect(transactions.toSorted()).toEqual(bundles.map(({ l1_tx }) => l1_tx).toSorted());
    const { transaction } = (await publishing.get(`/api/transactions/${sent[0]?.body.transactionId}`)).body;
    expect(transaction).toMatchObject({ status: 'FINAL', item: sent[0]?.body.receipt });
    const listed = await publishing.get('/api/ledger/entries?limit=1000');
    expect(listed.status).toBe(200);
    await wholeChain(pool);
  });
});

describe('by default', () => {
  test('the size of an entry depends only on the number of records', async () => {
    const exchange = exchangeOf(strict);
    const use = await exchange.newConsent();
    const sizes: number[] = [];
    for (const note of ['', 'x'.repeat(9_000)]) {
      const { body, status } = await exchange.submit(
        use,
        measurements(100, () => ({ note })),
      );
      expect(status).toBe(201);
      sizes.push(Buffer.byteLength(body.receipt, 'base64'));
    }
    expect(sizes[0]).toBe(sizes[1]);
    expect(sizes[0]).toBeLessThan(8_500);
  });
});
