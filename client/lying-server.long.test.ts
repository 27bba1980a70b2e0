import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { IntegrityError } from './errors.ts';
import { readReceipt } from './receipts.ts';
import { startProxy } from './test-proxy.ts';
import { newConsent, newHolder } from './test-story.ts';

let service: TestService;
/** Another ledger, with another relayer. */
let other: TestService;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let honest: Client;
let client: Client;

beforeAll(async () => {
  [service, other] = await Promise.all([startTestService(), startTestService()]);
  proxy = await startProxy(service.url);
  honest = createClient({ url: service.url });
});

afterAll(async () => {
  await proxy.stop();
  await service.stop();
  await other.stop();
});

beforeEach(() => {
  proxy.alter();
  client = createClient({ url: proxy.url });
});

type Body = Record<string, unknown>;
/** Alters the JSON of the responses to one path. */
const alterBody = (path: RegExp, change: (body: Body) => Body) =>
  proxy.alter((passing) =>
    path.test(passing.path) ? { body: JSON.stringify(change(JSON.parse(passing.body))) } : undefined,
  );

/** The integrity error of a promise; fails if there is none. */
async function lieOf(promise: Promise<unknown>): Promise<IntegrityError> {
  const thrown = await promise.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(IntegrityError);
  return thrown as IntegrityError;
}

const flipped = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64');
};

describe('a server that lies about a write is reported', () => {
  test('with the receipt of another operation', async () => {
    const { beoId, key } = await newHolder(client);
    const earlier = await client.lockBEO({ beoId }, { key });
    alterBody(/unlock/, (body) => ({ ...body, transactionId: earlier.transactionId, receipt: earlier.receipt }));
    const lie = await lieOf(client.unlockBEO({ beoId }, { key }));
    expect([lie.code, lie.details.item]).toEqual(['RECEIPT_INVALID', earlier.receipt]);
    expect(lie.message).toContain('another operation');
  });

  test('with an old entry of the same operation', async () => {
    const { beoId, key } = await newHolder(client);
    const first = await client.lockBEO({ beoId }, { key });
    await client.unlockBEO({ beoId }, { key });
    alterBody(/\/lock/, (body) => ({ ...body, transactionId: first.transactionId, receipt: first.receipt }));
    expect((await lieOf(client.lockBEO({ beoId }, { key }))).code).toBe('RECEIPT_INVALID');
  });

  test.each([
    ['with another id', (body: Body) => ({ ...body, transactionId: 'A'.repeat(43) })],
    ['without a receipt', ({ receipt: _, ...body }: Body) => body],
    ['with a receipt that is not base64', (body: Body) => ({ ...body, receipt: 'none' })],
    [
      'with a changed signature of the relayer',
      (body: Body) => ({ ...body, receipt: flipped(String(body.receipt), 10) }),
    ],
    ['with a changed place', (body: Body) => ({ ...body, receipt: flipped(String(body.receipt), 110) })],
    ['with a changed operation', (body: Body) => ({ ...body, receipt: flipped(String(body.receipt), 600) })],
  ])('%s', async (_, change) => {
    const { beoId, key } = await newHolder(client);
    alterBody(/\/lock/, change);
    expect((await lieOf(client.lockBEO({ beoId }, { key }))).code).toBe('RECEIPT_INVALID');
  });

  test('with an entry of another ledger', async () => {
    const foreign = createClient({ url: other.url });
    const there = await newHolder(foreign);
    const receipt = await foreign.lockBEO({ beoId: there.beoId }, { key: there.key });
    const { beoId, key } = await newHolder(client);
    alterBody(/\/lock/, (body) => ({ ...body, transactionId: receipt.transactionId, receipt: receipt.receipt }));
    const lie = await lieOf(client.lockBEO({ beoId }, { key }));
    expect([lie.code, lie.details.step]).toEqual(['RECEIPT_INVALID', 'ledger']);
  });

  test('with a digest that does not contain the sealed operation', async () => {
    const { holder, clinic, tokenId } = await newConsent(client);
    const records = [{ biomarker: 'BSP-CV-001', value: 1, unit: 'mg/dL', collected_at: '2026-01-01T00:00:00.000Z' }];
    const submit = () =>
      client.submitRecords({ targetBeo: holder.beoId, consentToken: tokenId, records }, { key: clinic.key });
    const honestly = await submit();
    expect([honestly.salt?.length, honestly.entry.message, honestly.entry.sealed?.length]).toEqual([64, null, 64]);
    alterBody(/exchange/, (body) => ({ ...body, salt: 'a'.repeat(64) }));
    expect((await lieOf(submit())).code).toBe('RECEIPT_INVALID');
    alterBody(/exchange/, ({ salt: _, ...body }) => body);
    expect((await lieOf(submit())).message).toContain('salt');
  });

  test('with a first use that is another operation', async () => {
    const { beoId, key } = await newHolder(client);
    const { transactionId } = await client.lockBEO({ beoId }, { key });
    const details = { transactionId };
    const body = JSON.stringify({ error: 'Used.', code: 'NONCE_REUSED', details, request_id: 'r' });
    proxy.alter(({ path }) => (path.includes('unlock') ? { status: 409, body } : undefined));
    expect((await lieOf(client.unlockBEO({ beoId }, { key }))).code).toBe('RECEIPT_INVALID');
  });
});

describe('a server that lies about the ledger is reported', () => {
  const headOf = async () => JSON.parse((await (await fetch(`${service.url}/api/ledger`)).text()) as string) as Body;

  test('with an older head than one that was verified, also by an earlier client', async () => {
    const old = await headOf();
    const { beoId, key } = await newHolder(client);
    await client.lockBEO({ beoId }, { key });
    alterBody(/\/api\/ledger$/, () => old);
    const lie = await lieOf(client.getLedger());
    expect([lie.code, lie.details.stated]).toEqual(['HEAD_STALE', old]);
    const later = createClient({ url: proxy.url, trusted: client.trusted() });
    expect((await lieOf(later.getLedger())).code).toBe('HEAD_STALE');
  });

  test('with a head that the relayer did not sign', async () => {
    await client.getLedger();
    alterBody(/\/api\/ledger$/, ({ head, ...body }) => ({ ...body, head: { ...(head as Body), seq: 9_999 } }));
    expect((await lieOf(client.getLedger())).code).toBe('HEAD_INVALID');
    alterBody(/\/api\/ledger$/, () => ({}));
    expect((await lieOf(client.getLedger())).code).toBe('HEAD_INVALID');
  });

  test('with another ledger than the trusted one', async () => {
    await client.getLedger();
    const moved = createClient({ url: other.url, trusted: client.trusted() });
    expect((await lieOf(moved.getLedger())).code).toBe('LEDGER_CHANGED');
  });

  test('with another entry at the place of a verified one', async () => {
    const { beoId, key } = await newHolder(client);
    const { entry } = await client.lockBEO({ beoId }, { key });
    const forked = { ledgerId: entry.ledgerId, head: { epoch: 1, seq: entry.seq, id: 'A'.repeat(43) } };
    const deceived = createClient({ url: service.url, trusted: forked });
    expect((await lieOf(deceived.getLedger())).code).toBe('LEDGER_FORKED');
    expect((await lieOf(deceived.getTransaction(entry.id))).code).toBe('LEDGER_FORKED');
    expect((await lieOf(deceived.listEntries({ after: entry.seq - 1 }))).code).toBe('LEDGER_FORKED');
  });

  test('with a longer history that has another entry in the place of a verified one', async () => {
    const { beoId, key } = await newHolder(honest);
    const { entry } = await honest.lockBEO({ beoId }, { key });
    const later = await honest.unlockBEO({ beoId }, { key });
    for (const [epoch, code] of [
      [1, 'LEDGER_FORKED'],
      [0, 'ENTRIES_ABANDONED'],
    ] as const) {
      const trusted = { ledgerId: entry.ledgerId, head: { epoch, seq: entry.seq, id: 'A'.repeat(43) } };
      const deceived = createClient({ url: service.url, trusted, key });
      await honest.lockBEO({ beoId }, { key });
      expect((await lieOf(deceived.getLedger())).code).toBe(code);
      expect((await lieOf(deceived.getTransaction(later.transactionId))).code).toBe(code);
      expect((await lieOf(deceived.listEntries({ after: entry.seq + 1 }))).code).toBe(code);
      const lie = await lieOf(deceived.unlockBEO({ beoId }));
      // The operation was accepted. What is returned only once is not lost.
      expect([lie.code, lie.details.answer]).toEqual([code, expect.objectContaining({ responseLost: false })]);
      expect(deceived.trusted()).toEqual(trusted);
    }
  });

  test('with another entry than the one that was asked for', async () => {
    const { beoId, key } = await newHolder(client);
    const [locked, unlocked] = [await client.lockBEO({ beoId }, { key }), await client.unlockBEO({ beoId }, { key })];
    const wrong = await (await fetch(`${service.url}/api/transactions/${unlocked.transactionId}`)).json();
    alterBody(/transactions/, () => wrong);
    expect((await lieOf(client.getTransaction(locked.transactionId))).code).toBe('RECEIPT_INVALID');
    alterBody(/transactions/, () => ({ transaction: { ...wrong.transaction, id: locked.transactionId } }));
    expect((await lieOf(client.getTransaction(locked.transactionId))).code).toBe('RECEIPT_INVALID');
    alterBody(/transactions/, () => ({ transaction: { ...wrong.transaction, seq: 1 } }));
    expect((await lieOf(client.getTransaction(unlocked.transactionId))).code).toBe('ENTRY_INVALID');
  });

  test('with entries that are left out or reordered', async () => {
    await newHolder(honest);
    const lines = (change: (lines: string[]) => string[]) =>
      proxy.alter(({ path, body }) =>
        path.includes('entries') ? { body: `${change(body.trimEnd().split('\n')).join('\n')}\n` } : undefined,
      );
    lines(([first = '', , ...rest]) => [first, ...rest]);
    expect((await lieOf(client.listEntries())).code).toBe('ENTRY_INVALID');
    lines(([first = '', second = '', ...rest]) => [second, first, ...rest]);
    expect((await lieOf(client.listEntries())).code).toBe('ENTRY_INVALID');
    proxy.alter();
    expect((await client.listEntries()).length).toBeGreaterThan(2);
  });
});

describe('whether the highest verified entry is still in its place', () => {
  const asked = () => proxy.requests.filter(({ path }) => path.includes('/api/ledger/entries')).map(({ path }) => path);

  test('is asked once when the head has moved, and not after entries that follow it', async () => {
    const { seq = 0 } = (await client.getLedger()).head;
    const { beoId, key } = await newHolder(honest);
    proxy.alter();
    await client.getLedger();
    expect(asked()).toEqual([`/api/ledger/entries?after=${seq - 1}&limit=1`]);
    await client.getLedger();
    await client.lockBEO({ beoId }, { key });
    await client.unlockBEO({ beoId }, { key });
    expect(asked()).toHaveLength(1);
    const { seq: known = 0 } = client.trusted()?.head ?? {};
    await honest.lockBEO({ beoId }, { key });
    await client.unlockBEO({ beoId }, { key });
    expect(asked().slice(1)).toEqual([`/api/ledger/entries?after=${known - 1}&limit=1`]);
    expect(client.trusted()?.head?.seq).toBe(known + 2);
  });

  test('is asked by calls at once, which all succeed', async () => {
    await client.getLedger();
    const holders = await Promise.all([1, 2, 3, 4].map(() => newHolder(honest)));
    const heads = Array.from({ length: 4 }, () => client.getLedger());
    const locks = holders.map(({ beoId, key }) => client.lockBEO({ beoId }, { key }));
    const reads = Array.from({ length: 4 }, () => client.listEntries({ after: 1, limit: 2 }));
    const [, entries] = await Promise.all([Promise.all([...heads, ...reads]), Promise.all(locks)]);
    expect(client.trusted()?.head?.seq).toBe(Math.max(...entries.map(({ entry }) => entry.seq)));
  });

  test('does not change the result of a write that was accepted, if the server then stops answering', async () => {
    const impatient = createClient({ url: proxy.url, retries: 0 });
    await impatient.getLedger();
    const before = impatient.trusted();
    const { beoId, key } = await newHolder(honest);
    proxy.alter(({ path }) => (path.includes('/entries') ? 'lost' : undefined));
    const { entry, responseLost } = await impatient.lockBEO({ beoId }, { key });
    expect([entry.function, responseLost, impatient.trusted()]).toEqual(['lockBEO', false, before]);
    await expect(impatient.getLedger()).rejects.toMatchObject({ code: 'NO_RESPONSE' });
    expect(impatient.trusted()).toEqual(before);
    proxy.alter();
    await impatient.getLedger();
    expect(impatient.trusted()?.head?.seq).toBe(entry.seq);
  });
});

test('a response without an end is not read beyond 32 MiB, or the size that the client is given', async () => {
  let sent = 0;
  const endless = createServer((_, response) => {
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a'))) sent += 65_536;
    };
    response.on('drain', send);
    send();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  for (const [maxBytes, limit] of [[undefined, 32 * 1024 * 1024] as const, [1_000_000, 1_000_000] as const]) {
    sent = 0;
    const limited = createClient({ url, ...(maxBytes ? { maxBytes } : {}) });
    await expect(limited.getMetrics()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(sent).toBeLessThan(limit + 16 * 1024 * 1024);
  }
  endless.close();
  endless.closeAllConnections();
});

test('a receipt is verified offline, by the id of the ledger alone', async () => {
  const { beoId, key } = await newHolder(client);
  const { receipt, transactionId, entry } = await client.lockBEO({ beoId }, { key });
  expect(readReceipt(receipt, entry.ledgerId)).toEqual({ ...entry, id: transactionId });
  expect(() => readReceipt(receipt, 'a'.repeat(64))).toThrow(/the step "ledger" fails/);
});
