import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../processes/service.ts';
import { captureLog, startTestService, type TestService } from '../../testing/test-service.ts';
import { everythingStored, expectNoSecrets } from '../vault/test-stored.ts';
import { type ConsentParties, EXPORT, type Exchange, exchangeOf, measurement, SUBMIT } from './test-exchange.ts';

let running: Service;
let service: TestService;
let exchange: Exchange;
const { log, lines } = captureLog();

beforeAll(async () => {
  service = await startTestService({}, { log });
  running = service.service;
  exchange = exchangeOf(service);
});
afterAll(() => service.stop());

/** The values of one run that must stay private, and its receipts. */
interface Run {
  readonly use: ConsentParties;
  /** The content of the records. */
  readonly secrets: string[];
  /** Tokens, signatures and nonces. */
  readonly proofs: string[];
  readonly receipts: string[];
}

let runs = 0;

/** Sends every request of the exchange, valid and invalid ones. */
async function runEveryOperation(): Promise<Run> {
  const use = await exchange.newConsent();
  const tag = `${++runs}`;
  const words = ['Quastenflosserin', 'Zwirbelbart', 'Mondmilchpilz', 'Federgeistchen', 'Schlammpeitzger'].map(
    (word) => word + tag,
  );
  const [value = '', note = '', method = '', unit = '', range = ''] = words;
  const number = `7${Math.random().toString().slice(2, 14)}.5`;
  const record = measurement({
    value,
    note,
    unit,
    source: { method, operator: note },
    ref_range: { optimal: range },
    deep: { a: { b: [note] } },
  });
  const first = await exchange.submitted(use, [
    record,
    measurement({ value: Number(number) }),
    measurement({ value: number }),
  ]);
  const second = await exchange.submitted(use, [{ ...record, supersedes: first.record_ids[0] }]);
  const proofs: string[] = [];
  const noteProof = <Body extends { signature: string; nonce: string }>(body: Body): Body => {
    proofs.push(body.signature, body.nonce);
    return body;
  };
  const signedRead = noteProof(exchange.signed(use, 'readRecords'));
  const url = exchange.query(signedRead, { from: '2026-03-04T05:06:06.089Z', biomarkers: 'BSP-CV-001' });
  expect((await service.get(url)).body.records).toHaveLength(3);
  expect((await service.get(url)).status).toBe(409);
  expect((await service.request(url, { method: 'DELETE' })).status).toBe(405);
  expect((await service.get(`${url}&note=${note}`)).status).toBe(400);
  expect((await service.get(`${SUBMIT}/${note}`)).status).toBe(404);
  const headers = noteProof(exchange.signed(use, 'readRecords'));
  const inHeaders = { 'x-consent-token': use.tokenId, 'x-signature': headers.signature, 'x-nonce': headers.nonce };
  const path = `${SUBMIT}?targetBeo=${use.holder.id}`;
  expect((await service.get(path, { ...inHeaders, 'x-timestamp': headers.timestamp })).status).toBe(200);
  for (const format of ['JSON', 'CSV', 'FHIR_R4']) {
    const body = noteProof(exchange.signed(use, 'sovereignExport', { format }));
    expect((await service.post(EXPORT, body)).body.data).toContain(value);
  }
  await exchange.accessEvents(use.holder);
  const refused = [
    await exchange.submit(use, [{ ...record, unit: '' }]),
    await exchange.submit(use, [{ ...record, biomarker: note }]),
    await exchange.submit(use, [{ ...record, ieo_domain: note }]),
    await exchange.submit(use, { note }),
    await exchange.submit({ ...use, by: use.holder }, [record]),
    await service.post(SUBMIT, `{"records":[${JSON.stringify(record)}`),
    await service.post(SUBMIT, JSON.stringify(exchange.submission(use, [record])).replace(value, `${value}\\u0000`)),
    await service.post(SUBMIT, `${JSON.stringify(exchange.submission(use, [record]))}${' '.repeat(1024 * 1024)}`),
  ];
  for (const { status, body } of refused) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body)).not.toContain(value);
  }
  const salts: string[] = JSON.parse(await exchange.exported(use, 'JSON')).records.map(
    ({ proof }: { proof: { salt: string } }) => proof.salt,
  );
  expect(salts).toHaveLength(4);
  const receipts = [first, second].map(({ receipt }) => receipt);
  return { use, secrets: [...words, number, ...salts, first.salt, second.salt], proofs, receipts };
}

describe('the content of records', () => {
  test('is not in the database in plain text, nor are the salts', async () => {
    const { use, secrets } = await runEveryOperation();
    const stored = await everythingStored(running.context.pool);
    expect(stored).toContain(use.holder.id);
    expectNoSecrets(stored, secrets);
  });

  test('is not in the ledger’s entries or in public responses', async () => {
    const { use, secrets, receipts } = await runEveryOperation();
    const paths = [
      `/api/beos/${use.holder.id}`,
      `/api/consent/${use.tokenId}`,
      `/api/consent/history/${use.holder.domain}`,
      '/api/ledger',
      '/api/ledger/entries?limit=1000',
      '/ready',
      '/health',
    ];
    const answers = await Promise.all(paths.map((path) => service.get(path)));
    for (const { status } of answers) expect(status).toBe(200);
    expectNoSecrets(answers.map(({ body }) => JSON.stringify(body)).join('\n'), secrets);
    const items = String(answers[4]?.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).item as string);
    for (const receipt of receipts) expect(items).toContain(receipt);
    expectNoSecrets(items.map((item) => Buffer.from(item, 'base64').toString('latin1')).join('\n'), secrets);
  });

  test('is not in the log, nor are holders, tokens, signatures and nonces', async () => {
    const before = lines.length;
    const { use, secrets, proofs } = await runEveryOperation();
    const logged = lines.slice(before).join('');
    for (const route of [SUBMIT, EXPORT, '/api/exchange/access']) expect(logged).toContain(route);
    expectNoSecrets(lines.join(''), [...secrets, ...proofs, use.tokenId, use.holder.id, 'BSP-CV-001', '2026-03-04']);
  });

  test('is not in the log of an internal error', async () => {
    const { use, secrets } = await runEveryOperation();
    const before = lines.length;
    await running.context.pool.query(
      `UPDATE records SET ciphertext = set_byte(ciphertext, 20, 255 - get_byte(ciphertext, 20)) WHERE owner_id = $1`,
      [use.holder.id],
    );
    expect((await exchange.read(use)).status).toBe(500);
    await exchange.exportAs(use, 'JSON').catch(() => undefined);
    const logged = lines.slice(before).join('');
    expect(logged.match(/"level":50/g)?.length).toBeGreaterThanOrEqual(2);
    expectNoSecrets(logged, [...secrets, use.tokenId]);
  });

  test('is not in the metrics', async () => {
    const { use, secrets, proofs } = await runEveryOperation();
    const { body } = await service.get('/metrics');
    expect(body).toContain('route="/api/exchange/records"');
    expect(body).toContain('perpetua_operations_accepted_total{operation="submitRecords"}');
    expectNoSecrets(body, [...secrets, ...proofs, use.tokenId, use.holder.id, use.by.domain, 'BSP-CV']);
  });

  test('is stored encrypted; only the columns that filters, counts and integrity checks need are not', async () => {
    const { use } = await runEveryOperation();
    const { rows } = await running.context.pool.query('SELECT * FROM records WHERE owner_id = $1 LIMIT 1', [
      use.holder.id,
    ]);
    expect(Object.keys(rows[0]).toSorted()).toEqual(
      [
        'id',
        'owner_id',
        'ieo_id',
        'token_id',
        'biomarker',
        'category',
        'collected_at',
        'submitted_at',
        'status',
        'superseded_seq',
        'transaction_id',
        'seq',
        'position',
        'client_ref',
        'binding',
        'ciphertext',
      ].toSorted(),
    );
    const events = await running.context.pool.query('SELECT * FROM access_events WHERE owner_id = $1', [use.holder.id]);
    expect(Object.keys(events.rows[0]).toSorted()).toEqual(['at', 'ciphertext', 'id', 'owner_id']);
  });
});
