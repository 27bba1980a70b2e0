import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCEPT_JSON, type Guardians, guardiansOf } from '../../features/guardians/test-guardians.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';

/** Two services with one database: the one without limits prepares the data for the one with limits. */
let limited: TestService;
let unlimited: TestService;
let guardians: Guardians;
beforeAll(async () => {
  unlimited = await startTestService();
  const shared = { DATA_DIR: unlimited.dataDir, GATEWAY_URL: unlimited.gatewayUrl, RATE_LIMIT: 'on', TRUST_PROXY: '1' };
  limited = await startTestService(shared, { databaseUrl: unlimited.databaseUrl });
  guardians = guardiansOf(unlimited);
});
afterAll(async () => {
  await limited.stop();
  await unlimited.stop();
});

let lastAddress = 0;
const newAddress = () => `198.51.100.${++lastAddress}`;
const from = (address: string) => ({ 'x-forwarded-for': address, ...ACCEPT_JSON });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);

async function sequentially(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const index of times(count)) answers.push(await send(index));
  return answers;
}

function expectLimited({ status, headers, body }: Answer, group: string, limit: number): void {
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(headers.get('retry-after')).toBe(String(body.details.retry_after_seconds));
  expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
  expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${group}";r=0;t=\\d+$`));
}

const INVITE = '/api/guardian/invite';
const CONFIRM = '/api/guardian/confirm';
const REQUEST_RECOVERY = '/api/relayer/beo/request-recovery';
const UNKNOWN = 'x'.repeat(43);
const LINKS = [`/api/guardian/accept/${UNKNOWN}`, `/api/guardian/confirm-recovery/${UNKNOWN}`];

const invitation = ({ person, id }: Party) =>
  guardians.sign(person, 'inviteGuardian', { beoId: id, ...guardians.guardian('primary') });

describe('one address', () => {
  test('may send five invitations a minute, of which refused ones count', async () => {
    const address = newAddress();
    const answers = await sequentially(5, () => limited.post(INVITE, {}, from(address)));
    expect(codes(answers)).toEqual(times(5).map(() => 'VALIDATION_FAILED'));
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"guardian_invite";r=4;t=\d+$/);
    const holder = await guardians.newHolder();
    expectLimited(await limited.post(INVITE, invitation(holder), from(address)), 'guardian_invite', 5);
    expect((await limited.post(INVITE, invitation(holder), from(newAddress()))).status).toBe(201);
  });

  test('may send five other guardian operations a minute in total', async () => {
    const address = newAddress();
    await sequentially(5, () => limited.post(INVITE, {}, from(address)));
    const paths = [...LINKS, CONFIRM];
    const answers = await sequentially(5, (index) => limited.post(paths[index % 3] ?? '', {}, from(address)));
    expect(new Set(codes(answers))).toEqual(new Set(['VALIDATION_FAILED']));
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';t=')[0])).toEqual(
      times(5).map((index) => `"guardian_link";r=${4 - index}`),
    );
    for (const path of paths) expectLimited(await limited.post(path, {}, from(address)), 'guardian_link', 5);
    for (const path of LINKS) expect((await limited.get(path, from(address))).status).toBe(404);
    expect((await limited.post(REQUEST_RECOVERY, {}, from(address))).status).toBe(400);
  });

  test('may send ten operations on identities a minute, including recovery requests', async () => {
    const address = newAddress();
    const { holder } = await guardians.guarded();
    const answers = await sequentially(10, (index) =>
      index % 2
        ? limited.post('/api/relayer/beo/recovery', {}, from(address))
        : limited.post(REQUEST_RECOVERY, { beoId: holder.id, newPublicKey: newPerson().publicKey }, from(address)),
    );
    expect(codes(answers)).toEqual(times(10).map((index) => (index % 2 ? 'VALIDATION_FAILED' : 200)));
    expectLimited(await limited.post(REQUEST_RECOVERY, {}, from(address)), 'relayer', 10);
    expectLimited(await limited.post('/api/relayer/beo', {}, from(address)), 'relayer', 10);
    expect((await limited.post(CONFIRM, {}, from(address))).status).toBe(400);
  });

  test('may open links sixty times a minute, including HEAD, independently of other reads', async () => {
    const address = newAddress();
    const { path } = await guardians.invited();
    for (const _ of times(60)) await limited.get('/api/ledger', from(address));
    expectLimited(await limited.get('/api/ledger', from(address)), 'query', 60);
    const answers = await sequentially(60, (index) =>
      limited.request([path, ...LINKS][index % 3] ?? '', {
        method: index % 4 ? 'GET' : 'HEAD',
        headers: from(address),
      }),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.at(-1)?.headers.get('ratelimit')).toMatch(/^"guardian_read";r=0;t=\d+$/);
    expectLimited(await limited.get(path, from(address)), 'guardian_read', 60);
    const head = await limited.request(path, { method: 'HEAD', headers: from(address) });
    expect(head.status).toBe(429);
    expect((await limited.post(path, {}, from(address))).status).toBe(400);
  });
});

describe('one key', () => {
  test('may invite five times a minute from any address, and others cannot use up this limit', async () => {
    const holder = await guardians.newHolder();
    const stranger = { ...holder, person: newPerson() };
    const forged = await sequentially(6, () => limited.post(INVITE, invitation(stranger), from(newAddress())));
    expect(new Set(codes(forged))).toEqual(new Set(['INVALID_SIGNATURE']));
    const first = invitation(holder);
    expect((await limited.post(INVITE, first, from(newAddress()))).status).toBe(201);
    const replayed = await sequentially(6, () => limited.post(INVITE, first, from(newAddress())));
    expect(new Set(codes(replayed))).toEqual(new Set(['NONCE_REUSED']));
    const own = await sequentially(4, () => limited.post(INVITE, invitation(holder), from(newAddress())));
    expect(new Set(codes(own))).toEqual(new Set(['GUARDIAN_ROLE_TAKEN']));
    expectLimited(await limited.post(INVITE, invitation(holder), from(newAddress())), 'guardian_invite', 5);
    const anotherHolder = await guardians.newHolder();
    expect((await limited.post(INVITE, invitation(anotherHolder), from(newAddress()))).status).toBe(201);
  });

  test('is not limited for other guardian operations', async () => {
    const { holder, guardians: eligible } = await guardians.guarded();
    const confirm = () => {
      const fields = { beoId: holder.id, guardianId: eligible[0].id, publicKey: eligible[0].person.publicKey };
      return limited.post(CONFIRM, guardians.sign(holder.person, 'confirmGuardian', fields), from(newAddress()));
    };
    expect(new Set(codes(await sequentially(8, confirm)))).toEqual(new Set(['ALREADY_CONFIRMED']));
  });

  test('that signs a recovery request is limited like any signing key', async () => {
    const { holder } = await guardians.guarded();
    const next = newPerson();
    const requestRecovery = () => {
      const fields = { beoId: holder.id, newPublicKey: next.publicKey };
      return limited.post(REQUEST_RECOVERY, guardians.sign(next, 'requestRecovery', fields), from(newAddress()));
    };
    expect(codes(await sequentially(10, requestRecovery))).toEqual(times(10).map(() => 200));
    expectLimited(await requestRecovery(), 'relayer', 10);
    const unsigned = { beoId: holder.id, newPublicKey: next.publicKey };
    expect((await limited.post(REQUEST_RECOVERY, unsigned, from(newAddress()))).status).toBe(200);
  });
});
