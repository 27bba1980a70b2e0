import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCESS,
  type ConsentParties,
  EXPORT,
  type Exchange,
  exchangeOf,
  measurements,
  SUBMIT,
} from '../../records/test-exchange.ts';
import { type Answer, startTestService, type TestService } from '../../test-service.ts';

/** One that counts and one that does not, on one database: the second prepares what the first is asked for. */
let setup: TestService;
let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  setup = await startTestService();
  const shared = { DATA_DIR: setup.dataDir, GATEWAY_URL: setup.gatewayUrl, RATE_LIMIT: 'on', TRUST_PROXY: '1' };
  service = await startTestService(shared, { databaseUrl: setup.databaseUrl });
  exchange = exchangeOf(setup);
  use = await exchange.newConsent();
  await exchange.submitted(use, measurements(3));
});
afterAll(async () => {
  await service.stop();
  await setup.stop();
});

let lastAddress = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++lastAddress}` });
type Address = ReturnType<typeof newAddress>;

const submit = (address: Address): Promise<Answer> =>
  service.post(SUBMIT, exchange.submission(use, measurements(1)), address);
const read = (address: Address): Promise<Answer> =>
  service.get(exchange.query(exchange.signed(use, 'readRecords')), address);
const take = (address: Address): Promise<Answer> =>
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
    ['exports five times', 'export', 5, take, 200],
  ] as const)('may %s a minute, and another as often', async (_, group, limit, ask, taken) => {
    const address = newAddress();
    for (let left = limit - 1; left >= 0; left--) {
      const { status, headers } = await ask(address);
      expect(status).toBe(taken);
      expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${group}";r=${left};t=\\d+$`));
    }
    expectLimited(await ask(address), group, limit);
    expect((await ask(newAddress())).status).toBe(taken);
  });

  test('is counted per group, refused requests included', async () => {
    const address = newAddress();
    for (let time = 0; time < 5; time++) expect((await service.post(EXPORT, {}, address)).status).toBe(400);
    expectLimited(await take(address), 'export', 5);
    expect([(await read(address)).status, (await submit(address)).status]).toEqual([200, 201]);
  });

  test('lists access within the allowance of reads', async () => {
    const address = newAddress();
    for (let time = 0; time < 30; time++) expect((await (time % 2 ? read : list)(address)).status).toBe(200);
    expectLimited(await list(address), 'exchange_read', 30);
    expectLimited(await read(address), 'exchange_read', 30);
  });

  test('is limited before its body and signature are checked', async () => {
    const address = newAddress();
    const forged = exchange.submission({ ...use, by: use.holder }, measurements(1));
    for (let time = 0; time < 10; time++) expect((await service.post(SUBMIT, forged, address)).status).toBe(401);
    expectLimited(await submit(address), 'exchange_submit', 10);
    const nonce = exchange.submission(use, measurements(1));
    expectLimited(await service.post(SUBMIT, nonce, address), 'exchange_submit', 10);
    expect((await service.post(SUBMIT, nonce, newAddress())).status).toBe(201);
  });
});
