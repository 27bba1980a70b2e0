import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../../ledger/test-chain.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { bundle as r4Bundle } from './formats/fhir/test-r4.ts';
import { type ConsentParties, EXPORT, type Exchange, exchangeOf, measurement, measurements } from './test-exchange.ts';
import { csvRows, startExport } from './test-exports.ts';

let service: TestService;
let exchange: Exchange;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
});
afterAll(() => service.stop());

interface ExportedRecord {
  readonly record_id: string;
  readonly status: string;
  readonly supersedes: string | null;
  readonly arweave_tx: string;
  readonly value: unknown;
  readonly proof: {
    readonly salt: string;
    readonly index: number;
    readonly arweave_tx: string;
    readonly submitted: never;
  };
}
const recordsOf = (text: string): ExportedRecord[] => JSON.parse(text).records;

/** Twelve records in three submissions, the last of which corrects two. */
async function twelveRecords() {
  const use = await exchange.newConsent();
  const first = await exchange.submitted(use, measurements(5));
  const second = await exchange.submitted(
    use,
    measurements(5, () => ({ biomarker: 'BSP-HM-002', value: '-1.50' })),
  );
  const corrections = [0, 1].map((index) => measurement({ supersedes: first.record_ids[index], value: 100 + index }));
  const third = await exchange.submitted(use, corrections);
  return {
    use,
    receipts: new Map([first, second, third].map(({ transactionId, receipt }) => [transactionId, receipt])),
  };
}

describe('an export', () => {
  test('is one uncached JSON response with the document as a string', async () => {
    const { use } = await twelveRecords();
    for (const format of ['JSON', 'CSV', 'FHIR_R4']) {
      const { status, headers, body } = await exchange.exportAs(use, format);
      expect(status).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual(['data', 'format', 'record_count', 'request_id']);
      expect(body).toMatchObject({ format, record_count: 12, request_id: headers.get('x-request-id') });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(typeof body.data).toBe('string');
    }
  });

  test('holds the same records in every format, superseded ones included', async () => {
    const { use } = await twelveRecords();
    const json = recordsOf(await exchange.exported(use, 'JSON'));
    const csv = csvRows(await exchange.exported(use, 'CSV'));
    const bundle = JSON.parse(await exchange.exported(use, 'FHIR_R4'));
    expect(json).toHaveLength(12);
    expect(json.filter(({ status }) => status === 'SUPERSEDED')).toHaveLength(2);
    expect(csv.map(({ record_id, status }) => [record_id, status])).toEqual(
      json.map(({ record_id, status }) => [record_id, status]),
    );
    expect(csv.filter(({ biomarker }) => biomarker === 'BSP-HM-002').map(({ value }) => value)).toEqual(
      Array(5).fill('-1.50'),
    );
    r4Bundle.parse(bundle);
    const resources = bundle.entry.map(({ resource }: { resource: { resourceType: string; id: string } }) => resource);
    const ids = (type: string): string[] =>
      resources.flatMap(({ resourceType, id }: { resourceType: string; id: string }) =>
        resourceType === type ? [id] : [],
      );
    expect(new Set(ids('Observation'))).toEqual(new Set(json.map(({ record_id }) => record_id)));
    expect([ids('Patient').length, ids('Organization').length, ids('Consent').length]).toEqual([1, 1, 1]);
    expect(ids('Provenance')).toHaveLength(12);
  });

  test('proves every record by the ledger entry, in JSON and CSV', async () => {
    const { use, receipts } = await twelveRecords();
    const sha = (salt: string, submitted: string) =>
      createHash('sha256').update(Buffer.from(salt, 'hex')).update(submitted).digest('hex');
    const committed = (transaction: string, index: number): string | undefined => {
      const { entry } = openReceipt(receipts.get(transaction) ?? '');
      return (entry as unknown as { public: { commitments: string[] } }).public.commitments[index];
    };
    const json = recordsOf(await exchange.exported(use, 'JSON'));
    for (const { proof, arweave_tx } of json) {
      expect(proof.arweave_tx).toBe(arweave_tx);
      expect(sha(proof.salt, canonicalJson(proof.submitted))).toBe(committed(proof.arweave_tx, proof.index));
    }
    for (const { salt = '', submitted = '', arweave_tx = '', proof_index } of csvRows(
      await exchange.exported(use, 'CSV'),
    )) {
      // One id in 64 begins with a minus, which the CSV export escapes with an apostrophe.
      expect(sha(salt, submitted)).toBe(committed(arweave_tx.replace(/^'-/, '-'), Number(proof_index)));
    }
    const second = json.find(({ proof }) => proof.index === 1);
    expect(sha(second?.proof.salt ?? '', '{}')).not.toBe(committed(second?.arweave_tx ?? '', 1));
  });

  test('without records is a complete document', async () => {
    const use = await exchange.newConsent();
    expect(JSON.parse(await exchange.exported(use, 'JSON'))).toMatchObject({ record_count: 0, records: [] });
    expect(csvRows(await exchange.exported(use, 'CSV'))).toEqual([]);
    r4Bundle.parse(JSON.parse(await exchange.exported(use, 'FHIR_R4')));
  });

  test('may contain any character', async () => {
    const use = await exchange.newConsent();
    const hostile = "\"\\\u2028\u2029\r\n\t\u0001<script>&amp;😀,;'=cmd|'/c calc'!A1";
    await exchange.submitted(use, [measurement({ value: hostile, note: hostile, source: { method: hostile } })]);
    const [record] = recordsOf(await exchange.exported(use, 'JSON'));
    expect(record?.value).toBe(hostile);
    const [row] = csvRows(await exchange.exported(use, 'CSV'));
    expect(JSON.parse(row?.submitted ?? '')).toMatchObject({ value: hostile, note: hostile });
    r4Bundle.parse(JSON.parse(await exchange.exported(use, 'FHIR_R4')));
  });

  test('includes records of a destroyed institution', async () => {
    const { use } = await twelveRecords();
    const self = await exchange.newSelfConsent(use.holder);
    expect((await exchange.parties.ieo(use.by, 'destroy', 'destroyIEO')).status).toBe(200);
    expect(recordsOf(await exchange.exported(self, 'JSON'))).toHaveLength(12);
    const rows = csvRows(await exchange.exported(self, 'CSV'));
    expect(new Set(rows.map(({ ieo_id }) => ieo_id))).toEqual(new Set([use.by.id]));
    r4Bundle.parse(JSON.parse(await exchange.exported(self, 'FHIR_R4')));
    expect((await exchange.page(self)).records[0].source.ieo_domain).toBe(use.by.domain);
  });

  test('requires a known format', async () => {
    const use = await exchange.newConsent();
    for (const format of ['XML', 'json', '', 'FHIR']) {
      expectRefusal(await exchange.exportAs(use, format), 'VALIDATION_FAILED');
    }
    const body = exchange.signed(use, 'sovereignExport');
    expectRefusal(await service.post(EXPORT, body), 'VALIDATION_FAILED');
    const signed = exchange.signed(use, 'sovereignExport', { format: 'CSV' });
    expectRefusal(await service.post(`${EXPORT}?format=CSV`, signed), 'VALIDATION_FAILED');
    expect((await service.post(EXPORT, signed)).status).toBe(200);
  });
});

/** More records than the buffers between the database and the client can hold. */
async function manyLargeRecords(): Promise<{ use: ConsentParties; ids: string[] }> {
  const use = await exchange.newConsent();
  const ids: string[] = [];
  for (let batch = 0; batch < 12; batch++) {
    ids.push(
      ...(
        await exchange.submitted(
          use,
          measurements(100, () => ({ note: 'x'.repeat(9_000) })),
        )
      ).record_ids,
    );
  }
  return { use, ids };
}

const startJsonExport = (use: ConsentParties) =>
  startExport(`${service.url}${EXPORT}`, exchange.signed(use, 'sovereignExport', { format: 'JSON' }));

describe('a running export', () => {
  test('contains the records as of the request, and holds no transaction open', async () => {
    const { use, ids } = await manyLargeRecords();
    const running = await startJsonExport(use);
    expect(running.status).toBe(200);
    const future = measurement({ collected_at: '2026-10-01T00:00:00Z' });
    const corrections = ids.slice(0, 50).map((supersedes) => measurement({ supersedes, value: -1 }));
    await exchange.submitted(use, [measurement({ collected_at: '2020-01-01T00:00:00Z' }), future, ...corrections]);
    const { rows } = await service.service.context.pool.query(
      `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
         AND state_change < now() - interval '1 second'`,
    );
    expect(rows).toEqual([]);
    const answer = JSON.parse(await running.rest());
    const records = recordsOf(answer.data);
    expect([answer.record_count, records.length]).toEqual([1_200, 1_200]);
    expect(new Set(records.map(({ record_id }) => record_id))).toEqual(new Set(ids));
    expect(records.filter(({ status }) => status !== 'ACTIVE')).toEqual([]);
    const later = recordsOf(await exchange.exported(use, 'JSON'));
    expect([later.length, later.filter(({ status }) => status === 'SUPERSEDED').length]).toEqual([1_252, 50]);
  });

  test('breaks off if the identity is destroyed, so that it does not look complete', async () => {
    const { use } = await manyLargeRecords();
    const { log } = service.service.context;
    const [warned, failed] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')];
    onTestFinished(() => {
      warned.mockRestore();
      failed.mockRestore();
    });
    const running = await startJsonExport(use);
    expect(running.first).toContain('"record_count":1200');
    expect((await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO')).status).toBe(200);
    await expect(running.rest()).rejects.toThrow();
    await expect.poll(() => warned.mock.calls.map(([, message]) => message)).toContain('a response was cut off');
    expect(failed).not.toHaveBeenCalled();
  });

  test('is consistent despite concurrent submissions and corrections', async () => {
    const use = await exchange.newConsent();
    let { record_ids: open } = await exchange.submitted(use, measurements(20));
    let writing = true;
    const write = async () => {
      for (let round = 0; writing; round++) {
        const corrections = open.map((supersedes: string) => measurement({ supersedes, value: round }));
        open = (await exchange.submitted(use, corrections)).record_ids;
        await exchange.submitted(use, measurements(3));
      }
    };
    const writer = write();
    try {
      for (let round = 0; round < 12; round++) {
        const answer = await exchange.exportAs(use, 'JSON');
        const records = recordsOf(answer.body.data);
        expect(records).toHaveLength(answer.body.record_count);
        const known = new Map(records.map((record) => [record.record_id, record]));
        expect(known.size).toBe(records.length);
        const corrected = records.flatMap(({ supersedes }) => supersedes ?? []);
        const superseded = records.filter(({ status }) => status === 'SUPERSEDED').map(({ record_id }) => record_id);
        expect(corrected.toSorted()).toEqual(superseded.toSorted());
        const sizes: Record<string, number> = {};
        for (const { arweave_tx } of records) sizes[arweave_tx] = (sizes[arweave_tx] ?? 0) + 1;
        for (const size of Object.values(sizes)) expect([3, 20]).toContain(size);
      }
    } finally {
      writing = false;
      await writer;
    }
    await wholeChain(service.service.context.pool);
  });

  test('releases its connection if the client disconnects', async () => {
    const { use } = await manyLargeRecords();
    const { pool } = service.service.context;
    const busy = () => pool.totalCount - pool.idleCount;
    const before = busy();
    const aborted = new AbortController();
    const body = JSON.stringify(exchange.signed(use, 'sovereignExport', { format: 'JSON' }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(service.url + EXPORT, { method: 'POST', headers, body, signal: aborted.signal });
    await response.body?.getReader().read();
    aborted.abort();
    expect((await exchange.page(use, { limit: 1 })).total).toBe(1_200);
    await expect.poll(busy).toBeLessThanOrEqual(before);
  });
});
