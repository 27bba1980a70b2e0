import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCEPT_JSON, type Guardians, guardiansOf } from '../../features/guardians/test-guardians.ts';
import { captureLog, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { createSecurityEvents } from './security-events.ts';

const { log, lines } = captureLog();
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, { log });
  guardians = guardiansOf(service);
});
afterAll(() => service.stop());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly event?: string;
  readonly address?: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly omitted?: Record<string, number>;
}

const WARN = 40;
const read = (written: readonly string[]) => written.map((line) => JSON.parse(line) as Line);
const eventsFrom = (address: string) => read(lines).filter((line) => line.event && line.address === address);

let lastAddress = 0;
const newAddress = () => `198.51.100.${++lastAddress}`;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('what somebody tries is logged with their address and the id of the answer', () => {
  const lock = '/api/relayer/beo/lock';
  const unknown = `/api/guardian/accept/${'x'.repeat(43)}`;

  async function forged(headers: Record<string, string>) {
    const holder = await guardians.newHolder();
    return service.post(lock, newPerson().sign('lockBEO', { beoId: holder.id }), headers);
  }

  test.each<[string, string, (headers: Record<string, string>) => ReturnType<TestService['get']>]>([
    [
      'INSTITUTE_KEY_INVALID',
      '/api/ieo/approve',
      (headers) => service.post('/api/ieo/approve', {}, { ...headers, 'x-institute-key': 'guess' }),
    ],
    ['INVALID_SIGNATURE', lock, forged],
    [
      'LINK_NOT_FOUND',
      '/api/guardian/accept/:token',
      (headers) => service.get(unknown, { ...headers, ...ACCEPT_JSON }),
    ],
  ])('%s', async (code, route, attempt) => {
    const address = newAddress();
    const answer = await attempt({ 'x-forwarded-for': address });
    expect(answer.body.code).toBe(code);
    const requestId = answer.headers.get('x-request-id');
    expect(eventsFrom(address)).toMatchObject([{ level: WARN, event: code, requestId, route }]);
  });

  test('RATE_LIMITED, however often it is reached', async () => {
    const address = newAddress();
    const headers = { 'x-forwarded-for': address };
    for (const _ of times(5)) await service.post('/api/exchange/export', {}, headers);
    expect(eventsFrom(address)).toEqual([]);
    for (const _ of times(10)) await service.post('/api/exchange/export', {}, headers);
    expect(eventsFrom(address).map(({ event }) => event)).toEqual(times(3).map(() => 'RATE_LIMITED'));
  });

  test('through the calls of the pages too', async () => {
    const address = newAddress();
    const holder = await guardians.newHolder();
    const body = newPerson().sign('lockBEO', { beoId: holder.id });
    const headers = { 'x-forwarded-for': address, 'x-institute-key': 'guess' };
    await service.post('/api/trpc/operate', { function: 'lockBEO', body }, headers);
    await service.post('/api/trpc/operate', { function: 'approveProposal', body: { proposalId: 'x' } }, headers);
    expect(eventsFrom(address).map(({ event }) => event)).toEqual(['INVALID_SIGNATURE', 'INSTITUTE_KEY_INVALID']);
  });

  test('and nothing of links, or of what is merely mistaken', async () => {
    const address = newAddress();
    await service.post('/api/relayer/beo', {}, { 'x-forwarded-for': address });
    await service.get('/api/beos/nobody.bsp', { 'x-forwarded-for': address });
    expect(eventsFrom(address)).toEqual([]);
    const events = lines.filter((line) => line.includes('"event"'));
    expect(events.join()).not.toContain('xxxx');
    expect(events.join()).not.toContain('guess');
  });
});

describe('the log of security events', () => {
  function setup() {
    const kept = captureLog();
    const time = { now: 0 };
    const events = createSecurityEvents(kept.log, () => time.now);
    const attempt = (code: string, address: string) => events.refused(code, { address, requestId: 'r', route: 'page' });
    return { attempt, events, time, lines: () => read(kept.lines) };
  }

  test('has three lines a minute of one address and kind, and a count of the rest', () => {
    const { attempt, time, lines } = setup();
    for (const _ of times(1_000)) attempt('INVALID_SIGNATURE', '2001:db8::1');
    attempt('INVALID_SIGNATURE', '2001:db8::2');
    attempt('RATE_LIMITED', '2001:db8::1');
    expect(lines().map(({ event }) => event)).toEqual([...times(3).map(() => 'INVALID_SIGNATURE'), 'RATE_LIMITED']);
    time.now = 60_000;
    attempt('INVALID_SIGNATURE', '2001:db8::1');
    expect(lines().slice(4)).toMatchObject([{ omitted: { INVALID_SIGNATURE: 998 } }, { event: 'INVALID_SIGNATURE' }]);
  });

  test('has twelve lines a minute of one IPv6 /56, so that others of its kind are seen', () => {
    const { attempt, lines } = setup();
    for (const network of times(200)) attempt('RATE_LIMITED', `2001:db8:0:${network.toString(16)}::1`);
    attempt('RATE_LIMITED', '192.0.2.1');
    expect(lines().map(({ address }) => address?.startsWith('2001:'))).toEqual([...times(12).map(() => true), false]);
  });

  test('has thirty lines a minute of one kind, and a flood of one does not hide another', () => {
    const { attempt, lines } = setup();
    for (const index of times(1_000)) attempt('RATE_LIMITED', `10.0.${index >> 8}.${index % 256}`);
    expect(lines()).toHaveLength(30);
    attempt('INSTITUTE_KEY_INVALID', '10.0.0.1');
    expect(lines().at(-1)).toMatchObject({ event: 'INSTITUTE_KEY_INVALID', address: '10.0.0.1' });
  });

  test('ends with what was left out', () => {
    const { attempt, events, lines } = setup();
    for (const _ of times(5)) attempt('LINK_USED', '192.0.2.1');
    events.close();
    expect(lines().at(-1)).toMatchObject({ omitted: { LINK_USED: 2 } });
  });
});
