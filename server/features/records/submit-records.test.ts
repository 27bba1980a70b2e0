import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedIds } from '../../../protocol/ids.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../../ledger/test-chain.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  EVERYTHING,
  type Exchange,
  exchangeOf,
  expectInvalid,
  measurement,
  measurements,
  SUBMIT,
} from './test-exchange.ts';

let service: TestService;
let exchange: Exchange;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
});
afterAll(() => service.stop());

const sha256 = (...parts: (Buffer | string)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

const rowCountOf = async (ownerId: string): Promise<number> =>
  (await service.service.context.pool.query('SELECT 1 FROM records WHERE owner_id = $1', [ownerId])).rows.length;

describe('a batch', () => {
  test('is stored with what is possible but unusual, and the answer says which records that is', async () => {
    const unusual = measurement({ biomarker: 'BSP-MN-007', value: 1.9, unit: 'mEq/L' });
    const records = [...measurements(1), unusual, measurement({ biomarker: 'BSP-MN-007', value: 4.1, unit: 'mEq/L' })];
    const { status, body } = await service.post(SUBMIT, exchange.submission(await exchange.newConsent(), records));
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.record_ids).toHaveLength(3);
    expect(body.warnings).toEqual([{ index: 1, code: 'VALUE_UNUSUAL', message: expect.any(String) }]);
  });

  test('returns the record ids, the transaction, a receipt and the salt', async () => {
    const use = await exchange.newConsent();
    const records = measurements(3);
    const sent = exchange.submission(use, records);
    const { status, headers, body } = await service.post(SUBMIT, sent);
    expect(status, JSON.stringify(body)).toBe(201);
    const { entry } = openReceipt(body.receipt);
    const ids = derivedIds(service.service.context.ledgerId, sent.signature);
    expect(body).toEqual({
      transactionId: body.transactionId,
      receipt: body.receipt,
      salt: expect.stringMatching(/^[0-9a-f]{64}$/),
      request_id: headers.get('x-request-id'),
      status: 'SUCCESS',
      record_ids: [0, 1, 2].map(ids.recordId),
      arweave_txs: [0, 1, 2].map(() => body.transactionId),
      tx_hashes: [0, 1, 2].map(() => body.transactionId),
      timestamp: entry.accepted_at,
      warnings: [],
    });
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    expect(headers.get('cache-control')).toBe('no-store');
    const { signature, ...signed } = sent;
    const message = canonicalJson({ function: 'submitRecords', ...signed });
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: entry.seq,
      prev: entry.prev,
      accepted_at: entry.accepted_at,
      function: 'submitRecords',
      entity_id: use.tokenId,
      signer: use.by.person.publicKey,
      signature: null,
      sealed: sha256(Buffer.from(body.salt, 'hex'), Buffer.from(signature, 'base64'), message),
      public: {
        timestamp: sent.timestamp,
        targetBeo: use.holder.id,
        consentToken: use.tokenId,
        commitments: records.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)),
      },
    });
    const transaction = await service.get(`/api/transactions/${body.transactionId}`);
    expect(transaction.body.transaction).toMatchObject({ function: 'submitRecords', entity_id: use.tokenId });
  });

  test('has one commitment per record on the ledger, whose salt the export contains', async () => {
    const use = await exchange.newConsent();
    const records = measurements(5, (index) => ({ note: `nº ${index}`, value: index % 2 ? `${index}.50` : index }));
    const { receipt } = await exchange.submitted(use, records);
    const { entry } = openReceipt(receipt);
    const { commitments } = (entry as unknown as { public: { commitments: string[] } }).public;
    const { records: exported } = JSON.parse(await exchange.exported(use, 'JSON'));
    expect(exported).toHaveLength(5);
    for (const { proof } of exported) {
      expect(proof.submitted).toEqual(records[proof.index]);
      expect(sha256(Buffer.from(proof.salt, 'hex'), canonicalJson(proof.submitted))).toBe(commitments[proof.index]);
      expect(proof.commitment).toBe(commitments[proof.index]);
    }
    expect(new Set(exported.map(({ proof }: { proof: { salt: string } }) => proof.salt)).size).toBe(5);
    expect(new Set(commitments).size).toBe(5);
  });

  test('may name holder and consent by any reference', async () => {
    const use = await exchange.newConsent();
    const { holder, tokenId } = use;
    const { token } = await exchange.parties.verdict(tokenId);
    const names = [
      holder.id,
      holder.id.toUpperCase(),
      holder.domain,
      holder.domain.toUpperCase(),
      holder.transactionId,
    ];
    const tokens = [tokenId, token.arweave_tx];
    for (const targetBeo of names) {
      for (const consentToken of tokens) {
        const answer = await exchange.submit(use, [measurement()], { targetBeo, consentToken });
        expect(answer.status, JSON.stringify(answer.body)).toBe(201);
        const { entry } = openReceipt(answer.body.receipt);
        expect(entry).toMatchObject({ entity_id: tokenId, public: { targetBeo, consentToken } });
      }
    }
    expect((await exchange.page(use)).total).toBe(names.length * tokens.length);
  });

  test('may have 1 to 100 records', async () => {
    const use = await exchange.newConsent();
    expect((await exchange.submitted(use, measurements(100))).record_ids).toHaveLength(100);
    const tooMany = await exchange.submit(use, measurements(101));
    expectRefusal(tooMany, 'TOO_MANY_RECORDS');
    expect(tooMany.body.details).toEqual({ records: 101, most: 100 });
    for (const empty of [[], null]) expectRefusal(await exchange.submit(use, empty), 'RECORDS_REQUIRED');
    const { records: _, ...without } = exchange.submission(use, []);
    expectRefusal(await service.post(SUBMIT, without), 'RECORDS_REQUIRED');
    expectRefusal(await exchange.submit(use, { '0': measurement() }), 'VALIDATION_FAILED');
    expect((await exchange.page(use)).total).toBe(100);
  });

  test('may have a body of at most 1 MiB', async () => {
    const use = await exchange.newConsent();
    const filled = (bytes: number): string => {
      const records = (last: string) => [
        ...measurements(17, () => ({ note: 'x'.repeat(60_000) })),
        measurement({ note: last }),
      ];
      const short = exchange.submission(use, records(''));
      const note = 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(short)));
      const text = JSON.stringify(exchange.submission(use, records(note)));
      expect(Buffer.byteLength(text)).toBe(bytes);
      return text;
    };
    const maximum = 1024 * 1024;
    expect((await service.post(SUBMIT, filled(maximum))).status).toBe(201);
    const larger = await service.post(SUBMIT, filled(maximum + 1));
    expectRefusal(larger, 'BODY_TOO_LARGE');
    expect(larger.body.details).toEqual({ max_bytes: maximum });
    const { records } = await exchange.page(use);
    expect(records).toHaveLength(18);
  });

  test('with one invalid record is refused as a whole, and can be resubmitted after a correction', async () => {
    const use = await exchange.newConsent();
    const records = measurements(100, (index) => (index === 56 ? { unit: '' } : {}));
    const answer = await exchange.submit(use, records);
    expectInvalid(answer, 100, [{ index: 56, path: 'unit', message: 'is required' }]);
    expect(await rowCountOf(use.holder.id)).toBe(0);
    expect(await exchange.accessEvents(use.holder)).toEqual([]);
    records[56] = measurement();
    await exchange.submitted(use, records);
    expect(await rowCountOf(use.holder.id)).toBe(100);
    await wholeChain(service.service.context.pool);
  });

  test('is refused with every problem of every invalid record', async () => {
    const use = await exchange.newConsent();
    const records = measurements(100, (index) => (index % 3 === 0 ? { unit: '', confidence: 2 } : {}));
    const answer = await exchange.submit(use, records);
    const wrong = records.flatMap(({ confidence }, index) => (confidence === 2 ? [index] : []));
    expect(wrong).toHaveLength(34);
    expectInvalid(
      answer,
      100,
      wrong.flatMap((index) => [
        { index, path: 'unit', message: 'is required' },
        { index, path: 'confidence', message: 'must be a number from 0 to 1' },
      ]),
    );
  });
});

describe('a record', () => {
  test('is stored exactly as sent, except for the members that the service sets', async () => {
    const use = await exchange.newConsent();
    const values: Json[] = [
      0,
      -0.1,
      1e-7,
      1e21,
      9007199254740991,
      '1.50',
      '-0',
      ' <5 ',
      '=1+1',
      'µ½ 血 👩‍⚕️',
      { systolic: 120, diastolic: 80, nested: { list: [1, '2', null, true], empty: {} } },
      {},
    ];
    const extra = {
      note: 'Kühl gelagert',
      lab_order: { id: 7, tags: ['a', 'b'] },
      nothing: null,
      yes: true,
      proof: 'x',
    };
    const source = {
      method: 'ELISA',
      equipment: 'Cobas 8000',
      operator: 'Dr. Ó',
      firmware: 'v1',
      more: [1, { a: null }],
    };
    const records = values.map((value, index) =>
      measurement({ value, ...extra, source, collected_at: new Date(Date.UTC(2026, 0, 1) + index).toISOString() }),
    );
    const { record_ids, transactionId, timestamp } = await exchange.submitted(use, records);
    const read = (await exchange.page(use)).records.toReversed();
    expect(read).toEqual(
      records.map((sent, index) => ({
        ...sent,
        source: { ...source, ieo_id: use.by.id, ieo_domain: use.by.domain },
        record_id: record_ids[index],
        beo_id: use.holder.id,
        ieo_id: use.by.id,
        category: 'BSP-CV',
        level: 'CORE',
        submitted_at: timestamp,
        ref_range: null,
        confidence: null,
        supersedes: null,
        version: '1.0.0',
        status: 'ACTIVE',
        data_hash: sha256(canonicalJson(sent)),
        arweave_tx: transactionId,
      })),
    );
    for (const [index, { value }] of read.entries()) expect(JSON.stringify(value)).toBe(JSON.stringify(values[index]));
  });

  test('has the members that the service sets replaced; its hash is of the record as sent', async () => {
    const use = await exchange.newConsent();
    const sent = measurement({
      record_id: 'LAB-1',
      submitted_at: '1999-01-01T00:00:00.000Z',
      status: 'SUPERSEDED',
      data_hash: 'f'.repeat(64),
      arweave_tx: 'forged',
      source: { ieo_id: 'another', ieo_domain: 'another.bsp', method: 'x' },
      version: '2.7',
      ref_range: { optimal: '< 90', unit: 'mg/dL', toxicity_high: 400, functional_low: null },
      confidence: 0.5,
    });
    const { record_ids, transactionId, timestamp } = await exchange.submitted(use, [sent]);
    const [record] = (await exchange.page(use)).records;
    expect(record).toEqual({
      ...sent,
      record_id: record_ids[0],
      beo_id: use.holder.id,
      ieo_id: use.by.id,
      category: 'BSP-CV',
      level: 'CORE',
      submitted_at: timestamp,
      status: 'ACTIVE',
      data_hash: sha256(canonicalJson(sent)),
      arweave_tx: transactionId,
      source: { ieo_id: use.by.id, ieo_domain: use.by.domain, method: 'x' },
      supersedes: null,
      client_record_id: 'LAB-1',
    });
  });

  test('may contain its holder, institution and category if they are correct or empty', async () => {
    const use = await exchange.newConsent();
    const { holder, by } = use;
    const named = (party: typeof holder) => [
      party.id,
      party.id.toUpperCase(),
      party.domain,
      party.transactionId,
      '',
      null,
    ];
    const records = named(holder).map((beo_id, index) =>
      measurement({
        beo_id,
        ieo_id: named(by)[index] ?? null,
        ieo_domain: [by.domain, by.domain.toUpperCase(), '', null][index % 4] ?? null,
        category: ['BSP-CV', '', null][index % 3] ?? null,
        level: ['CORE', '', null][index % 3] ?? null,
      }),
    );
    await exchange.submitted(use, records);
    const { records: read } = await exchange.page(use);
    expect(read).toHaveLength(records.length);
    for (const record of read) {
      expect(record).toMatchObject({ beo_id: holder.id, ieo_id: by.id, category: 'BSP-CV', level: 'CORE' });
      expect(record).not.toHaveProperty('ieo_domain');
    }
  });

  test('of another person or institution is refused with its index, and nothing is stored', async () => {
    const [use, unrelated] = [await exchange.newConsent(), await exchange.newConsent()];
    const wrong: [string, string][] = [
      ['beo_id', unrelated.holder.id],
      ['beo_id', unrelated.holder.domain],
      ['beo_id', 'unknown'],
      ['ieo_id', unrelated.by.id],
      ['ieo_domain', unrelated.by.domain],
      ['ieo_id', use.holder.id],
    ];
    const records = [measurement(), ...wrong.map(([path, value]) => measurement({ [path]: value }))];
    const answer = await exchange.submit(use, records);
    expectInvalid(
      answer,
      records.length,
      wrong.map(([path], index) => ({ index: index + 1, path, message: 'must match the consent' })),
    );
    expect(await rowCountOf(use.holder.id)).toBe(0);
  });

  test('may have a well-formed code of a known category that taxonomy.json does not list', async () => {
    const use = await exchange.newConsent(EVERYTHING);
    await exchange.submitted(use, [measurement({ biomarker: 'BSP-CL-999' }), measurement({ biomarker: 'BSP-DV-900' })]);
    const { records } = await exchange.page(use);
    expect(records.map(({ category, level }: Record<string, string>) => [category, level])).toEqual([
      ['BSP-DV', 'DEVICE'],
      ['BSP-CL', 'EXTENDED'],
    ]);
  });
});
