import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCESS,
  type ConsentParties,
  EXPORT,
  type Exchange,
  exchangeOf,
  measurements,
  SUBMIT,
} from '../../features/records/test-exchange.ts';
import { type Answer, startTestService, type TestService } from '../../testing/test-service.ts';

/** Two services with one database: the one without limits prepares the data for the one with limits. */
let unlimited: TestService;
let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  unlimited = await startTestService();
  const shared = { DATA_DIR: unlimited.dataDir, GATEWAY_URL: unlimited.gatewayUrl, RATE_LIMIT: 'on', TRUST_PROXY: '1' };
  service = await startTestService(shared, { databaseUrl: unlimited.databaseUrl });
  exchange = exchangeOf(unlimited);
  use = await exchange.newConsent();
  await exchange.submitted(use, measurements(3));
});
afterAll(async () => {
  await service.stop();
  await unlimited.stop();
});

let lastAddress = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++lastAddress}` });
type Address = ReturnType<typeof newAddress>;

const submit = (address: Address): Promise<Answer> =>
  service.post(SUBMIT, exchange.submission(use, measurements(1)), address);
const read = (address: Address): Promise<Answer> =>
  service.get(exchange.query(exchange.signed(use, 'readRecords')), address);
const exportCsv = (address: Address): Promise<Answer> =>
  service.post(EXPORT, exchange.signed(use, 'sovereignExport', { format: 'CSV' }), address);
const list = (address: Address): Promise<Answer> =>
  service.post(ACCESS, exchange.parties.sign(use.holder.person, 'listAccess', { beoId: use.holder.id }), address);

function expectLimited({ status, headers, body }: Answer, group: string, limit: number): void {
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  const seconds = body.details.retry_after_seconds;
  expect(headers.get('retry-after')).toBe(String(seconds));
  expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
  expect(headers.get('ratelimit')).toBe(`"${group}";r=0;t=${seconds}`);
}

describe('one address', () => {
  test.each([
    ['submits ten times', 'exchange_submit', 10, submit, 201],
    ['reads thirty times', 'exchange_read', 30, read, 200],
    ['exports five times', 'export', 5, exportCsv, 200],
  ] as const)('may %s a minute, independently of others', async (_, group, limit, send, accepted) => {
    const address = newAddress();
    for (let remaining = limit - 1; remaining >= 0; remaining--) {
      const { status, headers } = await send(address);
      expect(status).toBe(accepted);
      expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${group}";r=${remaining};t=\\d+$`));
    }
    expectLimited(await send(address), group, limit);
    expect((await send(newAddress())).status).toBe(accepted);
  });

  test('is limited per group, and refused requests count', async () => {
    const address = newAddress();
    for (let time = 0; time < 5; time++) expect((await service.post(EXPORT, {}, address)).status).toBe(400);
    expectLimited(await exportCsv(address), 'export', 5);
    expect([(await read(address)).status, (await submit(address)).status]).toEqual([200, 201]);
  });

  test('shares one limit between reads and lists of access', async () => {
    const address = newAddress();
    for (let time = 0; time < 30; time++) expect((await (time % 2 ? read : list)(address)).status).toBe(200);
    expectLimited(await list(address), 'exchange_read', 30);
    expectLimited(await read(address), 'exchange_read', 30);
  });

  test('is limited before body and signature are checked', async () => {
    const address = newAddress();
    const forged = exchange.submission({ ...use, by: use.holder }, measurements(1));
    for (let time = 0; time < 10; time++) expect((await service.post(SUBMIT, forged, address)).status).toBe(401);
    expectLimited(await submit(address), 'exchange_submit', 10);
    const valid = exchange.submission(use, measurements(1));
    expectLimited(await service.post(SUBMIT, valid, address), 'exchange_submit', 10);
    expect((await service.post(SUBMIT, valid, newAddress())).status).toBe(201);
  });
});
