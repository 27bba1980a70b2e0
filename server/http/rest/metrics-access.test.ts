import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { mayReadMetrics } from './queries.ts';
import { rawRequest, sendBytes } from './test-requests.ts';

let direct: TestService;
let proxied: TestService;
let withPublicMetrics: TestService;
let withDirectMetrics: TestService;
beforeAll(async () => {
  [direct, proxied, withPublicMetrics, withDirectMetrics] = await Promise.all([
    startTestService(),
    startTestService({ TRUST_PROXY: '1' }),
    startTestService({ METRICS_PUBLIC: 'true', TRUST_PROXY: '1' }),
    startTestService({ METRICS_PUBLIC: 'direct', TRUST_PROXY: '1' }),
  ]);
});
afterAll(() => Promise.all([direct, proxied, withPublicMetrics, withDirectMetrics].map((service) => service.stop())));

const metrics = async (service: TestService, headers: Record<string, string> = {}, path = '/metrics') =>
  (await rawRequest(service.url, { path, headers })).status;

test('metrics are served to the same machine', async () => {
  expect([await metrics(direct), await metrics(proxied)]).toEqual([200, 200]);
});

test.each<Record<string, string>>([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
  { 'x-forwarded-for': '' },
  { 'x-real-ip': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { origin: 'https://elsewhere.example' },
])('metrics are not served through a proxy or to another site: %j', async (headers) => {
  const refused = await rawRequest(direct.url, { path: '/metrics', headers });
  expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
  expect(await metrics(proxied, headers)).toBe(404);
  expect(await metrics(withPublicMetrics, headers)).toBe(200);
  expect(await metrics(withDirectMetrics, headers)).toBe(404);
});

test('with METRICS_PUBLIC=direct another machine reads the metrics, and no spelling of the path does through a proxy', async () => {
  const fromElsewhere = { isLocal: () => false, header: () => undefined };
  const settings = ['false', 'direct', 'true'] as const;
  expect(settings.map((setting) => mayReadMetrics(setting, fromElsewhere))).toEqual([false, true, true]);
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };
  for (const path of ['//metrics', '/%6detrics', '/metrics/', 'http://x.example/metrics']) {
    expect([path, await metrics(withPublicMetrics, forwarded, path)]).toEqual([path, 200]);
    expect([path, await metrics(withDirectMetrics, forwarded, path)]).toEqual([path, 404]);
    expect([path, await metrics(withDirectMetrics, {}, path)]).toEqual([path, 200]);
  }
});

test('requests with so many headers that a proxy’s might be dropped are refused', async () => {
  const padding = Array.from({ length: 120 }, (_, index) => `a${index}: b\r\n`).join('');
  const request = `GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${padding}X-Forwarded-For: 203.0.113.9\r\n\r\n`;
  for (const service of [direct, proxied]) expect(await sendBytes(service.url, request)).toMatch(/^HTTP\/1\.1 400 /);
});
