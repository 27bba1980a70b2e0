import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFull } from '../../../protocol/test-amount.ts';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { ACCESS, EVERYTHING, type Exchange, exchangeOf, measurement, measurements } from './test-exchange.ts';

const longTest = inFull(test);

let shift = 0;
let service: TestService;
let exchange: Exchange;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  exchange = exchangeOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

/** Advances the clock, so that the order of events is certain. */
const advanceClock = () => {
  shift += 1_000;
};

describe('the use of a consent', () => {
  test('is listed for the holder, newest first, with grantee, time, token and number of records, without content', async () => {
    const use = await exchange.newConsent();
    const { holder, by, tokenId } = use;
    const selfConsent = await exchange.newSelfConsent(holder);
    const { timestamp } = await exchange.submitted(use, measurements(7));
    advanceClock();
    await exchange.page(use, { limit: 3 });
    advanceClock();
    await exchange.page(use, { categories: 'BSP-LA' });
    advanceClock();
    await exchange.exported(use, 'CSV');
    advanceClock();
    await exchange.exported(selfConsent, 'FHIR_R4');
    advanceClock();
    const { status, headers, body } = await exchange.listAccess(holder, holder);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body)).toEqual(['beo_id', 'events', 'next_cursor']);
    const clinic = { token_id: tokenId, grantee_id: by.id, grantee_domain: by.domain };
    const own = { token_id: selfConsent.tokenId, grantee_id: holder.id, grantee_domain: holder.domain };
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      beo_id: holder.id,
      events: [
        { at, kind: 'export', ...own, records: 7, format: 'FHIR_R4' },
        { at, kind: 'export', ...clinic, records: 7, format: 'CSV' },
        { at, kind: 'read', ...clinic, records: 0 },
        { at, kind: 'read', ...clinic, records: 3 },
        { at: timestamp, kind: 'submit', ...clinic, records: 7 },
      ],
      next_cursor: null,
    });
    const times = body.events.map((event: { at: string }) => event.at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(JSON.stringify(body)).not.toContain('BSP-');
  });

  test('includes an export without records', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, measurements(2));
    const narrow = await exchange.newConsent({ ...EVERYTHING, categories: ['BSP-LA'] }, use);
    await exchange.exported(narrow, 'JSON');
    const events = await exchange.accessEvents(use.holder);
    expect(events.map(({ kind, records }: Record<string, unknown>) => [kind, records])).toContainEqual(['export', 0]);
  });

  test('is listed only for the holder, by any reference, once per signature', async () => {
    const [use, unrelated] = [await exchange.newConsent(), await exchange.newConsent()];
    await exchange.submitted(use, measurements(1));
    for (const by of [use.by, unrelated.holder, unrelated.by]) {
      const answer = await exchange.listAccess(use.holder, by);
      expectRefusal(answer, 'INVALID_SIGNATURE');
      expect(answer.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
    }
    const { holder } = use;
    for (const id of [holder.id, holder.domain, holder.transactionId]) {
      const { body } = await exchange.listAccess({ id }, holder);
      expect([body.beo_id, body.events.length]).toEqual([holder.id, 1]);
    }
    const signed = exchange.parties.sign(holder.person, 'listAccess', { beoId: holder.id });
    expect((await service.post(ACCESS, signed)).status).toBe(200);
    expectRefusal(await service.post(ACCESS, signed), 'NONCE_REUSED');
    expect(await exchange.accessEvents(unrelated.holder)).toEqual([]);
  });

  test('requires a signed request', async () => {
    const { holder, by } = await exchange.newConsent();
    const signed = exchange.parties.sign(holder.person, 'listAccess', { beoId: holder.id });
    expectRefusal(await service.post(ACCESS, { ...signed, limit: 5 }), 'VALIDATION_FAILED');
    expectRefusal(await service.post(ACCESS, { ...signed, beoId: '?' }), 'VALIDATION_FAILED');
    expectRefusal(await service.post(`${ACCESS}?limit=5`, signed), 'VALIDATION_FAILED');
    const { signature: _, ...unsigned } = signed;
    expectRefusal(await service.post(ACCESS, unsigned), 'SIGNATURE_MISSING');
    expectRefusal(await service.post(ACCESS, []), 'VALIDATION_FAILED');
    expectRefusal(await exchange.listAccess({ id: by.id }, by), 'BEO_NOT_FOUND');
    expectRefusal(await exchange.listAccess({ id: 'unknown.bsp' }, holder), 'BEO_NOT_FOUND');
    const old = { timestamp: new Date(Date.now() + shift - 600_000).toISOString() };
    const stale = holder.person.sign('listAccess', { beoId: holder.id }, old);
    expectRefusal(await service.post(ACCESS, stale), 'TIMESTAMP_TOO_OLD');
    const lock = exchange.parties.sign(holder.person, 'lockBEO', { beoId: holder.id });
    expectRefusal(await service.post(ACCESS, lock), 'INVALID_SIGNATURE');
  });

  test('is listed for a locked holder, and with the new key after a rotation', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, measurements(1));
    await exchange.parties.beo(use.holder, 'lock', 'lockBEO');
    expect(await exchange.accessEvents(use.holder)).toHaveLength(1);
    const { person } = await exchange.parties.newHolder();
    await exchange.parties.beo(use.holder, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    expectRefusal(await exchange.listAccess(use.holder, use.holder), 'INVALID_SIGNATURE');
    expect(await exchange.accessEvents({ ...use.holder, person })).toHaveLength(1);
  });

  test('is erased with the holder', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, measurements(1));
    await exchange.parties.beo(use.holder, 'destroy', 'destroyBEO');
    expectRefusal(await exchange.listAccess(use.holder, use.holder), 'BEO_DESTROYED');
  });

  longTest('is listed in pages of a thousand events, complete despite concurrent ones', async () => {
    const use = await exchange.newConsent();
    await exchange.submitted(use, measurements(1));
    for (let remaining = 1_000; remaining > 0; remaining -= 50) {
      await Promise.all(Array.from({ length: 50 }, () => exchange.page(use, { limit: 1 })));
    }
    const { body: newest } = await exchange.listAccess(use.holder, use.holder);
    expect(newest.events).toHaveLength(1_000);
    expect(new Set(newest.events.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['read']));
    await exchange.page(use, { limit: 1 });
    const cursor = newest.next_cursor;
    const { body: older } = await exchange.listAccess(use.holder, use.holder, { cursor });
    expect([older.events.map(({ kind }: { kind: string }) => kind), older.next_cursor]).toEqual([['submit'], null]);

    const stranger = await exchange.parties.newHolder();
    expectRefusal(await exchange.listAccess(stranger, stranger, { cursor }), 'VALIDATION_FAILED');
    expectRefusal(await exchange.listAccess(use.holder, use.holder, { cursor: `${cursor}A` }), 'VALIDATION_FAILED');
    expectRefusal(await exchange.listAccess(use.holder, stranger, { cursor }), 'INVALID_SIGNATURE');
    const signed = exchange.parties.sign(use.holder.person, 'listAccess', { beoId: use.holder.id });
    expectRefusal(await service.post(ACCESS, { ...signed, cursor }), 'INVALID_SIGNATURE');
  });
});

describe('a refused request', () => {
  test('is not listed', async () => {
    const use = await exchange.newConsent({ ...EVERYTHING, categories: ['BSP-CV'], max_records: 2 });
    await exchange.submitted(use, measurements(1));
    const body = exchange.signed(use, 'readRecords');
    const stranger = await exchange.parties.newHolder();
    const answers = [
      await exchange.submit(use, [measurement({ unit: '' })]),
      await exchange.submit(use, [measurement({ biomarker: 'BSP-LA-001' })]),
      await exchange.submit(use, measurements(3)),
      await exchange.submit({ ...use, by: use.holder }, measurements(1)),
      await exchange.read({ ...use, by: stranger }),
      await exchange.read(use, { categories: 'BSP-LA' }),
      await exchange.read(use, { limit: 0 }),
      await exchange.exportAs({ ...use, by: stranger }, 'JSON'),
      await exchange.exportAs(use, 'XML'),
      await service.get(exchange.query({ ...body, nonce: 'short' })),
    ];
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(400);
    expect(await exchange.accessEvents(use.holder)).toHaveLength(1);
    await exchange.parties.revoke(use.holder, use.tokenId);
    for (const { status } of [await exchange.read(use), await exchange.exportAs(use, 'CSV')]) expect(status).toBe(401);
    expect(await exchange.accessEvents(use.holder)).toHaveLength(1);
  });
});
