import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accepted } from '../testing/test-load.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

const PROMETHEUS = 'deploy/prometheus';
const GRAFANA = 'deploy/grafana';

let service: TestService;
let metrics: string;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT: 'on' });
  await accepted(service, 5);
  await service.get('/api/ledger');
  const waiting = async () => (await service.get('/ready')).body.backlog.entries;
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 240_000, interval: 200 });
  metrics = (await service.get('/metrics')).body;
});
afterAll(() => service.stop());

const metric = (name: string): number =>
  Number(new RegExp(`^perpetua_${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(metrics)?.[1]);

/** The families that /metrics declares, also those without a series yet. */
const families = (): Map<string, string> =>
  new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));

test('the codes that alerts count have a series before the first error, because one that begins at 1 shows no increase', () => {
  const alerts = readFileSync(join(PROMETHEUS, 'alerts.yml'), 'utf8');
  const codes = new Set([...alerts.matchAll(/\{code="([A-Z_]+)"\}/g)].map(([, code]) => code));
  expect(codes.size).toBe(2);
  for (const code of codes) expect(metric(`requests_refused_total{code="${code}"}`)).toBe(0);
});

test('writing fills the metrics of the queue, the head, the relay, the cost and the limits', () => {
  expect(metric('batch_operations_sum')).toBe(5);
  expect(metric('queue_wait_seconds_count')).toBe(5);
  expect(metric('head_lock_wait_seconds_count')).toBe(metric('batch_seconds_count'));
  expect(metric('operations_posted_total')).toBe(5);
  expect(metric('posting_delay_seconds_count')).toBeGreaterThan(0);
  expect(metric('queue_operations')).toBe(0);
  expect(metric('backlog_oldest_seconds_limit')).toBe(2);
  expect(metric('bundles_lacking_data')).toBe(0);
  expect(metric('relay_leading')).toBe(1);
  expect(metric('part_ok{part="database"}')).toBe(1);
  expect(metric('operation_winston')).toBeGreaterThan(0);
  expect(metric('wallet_days_left')).toBeCloseTo(metric('wallet_winston') / metric('spent_winston_per_day'), 3);
  expect(metrics).toMatch(/^perpetua_rate_limit_charges_total\{group="query",outcome="allowed"\} [1-9]/m);
});

/** Every name of a metric in a text; the suffixes of a histogram belong to its family. */
const namesIn = (text: string): string[] =>
  [...new Set(text.match(/\bperpetua_[a-z0-9_]+/g))].map((name) => {
    const family = name.replace(/_(bucket|sum|count)$/, '');
    return families().get(family) === 'histogram' ? family : name;
  });

test.each([
  ...readdirSync(GRAFANA).map((name) => join(GRAFANA, name)),
  join(PROMETHEUS, 'alerts.yml'),
  join(PROMETHEUS, 'alerts.test.yml'),
])('%s names only metrics that exist', (file) => {
  const names = namesIn(readFileSync(file, 'utf8'));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !families().has(name))).toEqual([]);
});

test('docs/operations.md describes every metric of this project, and no other', () => {
  const section = /### Metrics\n([\s\S]+?)\n##/.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const described = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[a-z_]+(?=`)/g) ?? []);
  const own = [...families().keys()]
    .map((name) => name.replace('perpetua_', ''))
    .filter((name) => !/^(nodejs|process)_/.test(name));
  expect(described.filter((name) => !/^(nodejs|process)_/.test(name)).sort()).toEqual(own.sort());
});

test('promtool, where it is installed, accepts the configuration and passes the tests of the alerts', () => {
  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: PROMETHEUS, encoding: 'utf8' });
  if (promtool('--version').error) return;
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args);
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
