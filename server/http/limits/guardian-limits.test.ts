import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCEPT_JSON, type Guardians, guardiansOf } from '../../guardians/test-guardians.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../test-service.ts';
import type { Party } from '../../write/test-parties.ts';

/** One service that counts and one on the same database that does not, to make ready what is then counted. */
let counting: TestService;
let free: TestService;
let guardians: Guardians;
beforeAll(async () => {
  free = await startTestService();
  const shared = { DATA_DIR: free.dataDir, GATEWAY_URL: free.gatewayUrl, RATE_LIMIT: 'on', TRUST_PROXY: '1' };
  counting = await startTestService(shared, { databaseUrl: free.databaseUrl });
  guardians = guardiansOf(free);
});
afterAll(async () => {
  await counting.stop();
  await free.stop();
});

let lastAddress = 0;
const newAddress = () => `198.51.100.${++lastAddress}`;
const from = (address: string) => ({ 'x-forwarded-for': address, ...ACCEPT_JSON });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);

async function inTurn(count: number, ask: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const index of times(count)) answers.push(await ask(index));
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
const ASK = '/api/relayer/beo/request-recovery';
const UNKNOWN = 'x'.repeat(43);
const LINKS = [`/api/guardian/accept/${UNKNOWN}`, `/api/guardian/confirm-recovery/${UNKNOWN}`];

const invitation = ({ person, id }: Party) =>
  guardians.sign(person, 'inviteGuardian', { beoId: id, ...guardians.guardian('primary') });

describe('one address', () => {
  test('invites five times a minute, refused requests included', async () => {
    const address = newAddress();
    const answers = await inTurn(5, () => counting.post(INVITE, {}, from(address)));
    expect(codes(answers)).toEqual(times(5).map(() => 'VALIDATION_FAILED'));
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"guardian_invite";r=4;t=\d+$/);
    const holder = await guardians.newHolder();
    expectLimited(await counting.post(INVITE, invitation(holder), from(address)), 'guardian_invite', 5);
    expect((await counting.post(INVITE, invitation(holder), from(newAddress()))).status).toBe(201);
  });

  test('sends five guardian operations a minute in total, besides invitations', async () => {
    const address = newAddress();
    await inTurn(5, () => counting.post(INVITE, {}, from(address)));
    const paths = [...LINKS, CONFIRM];
    const answers = await inTurn(5, (index) => counting.post(paths[index % 3] ?? '', {}, from(address)));
    expect(new Set(codes(answers))).toEqual(new Set(['VALIDATION_FAILED']));
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';t=')[0])).toEqual(
      times(5).map((index) => `"guardian_link";r=${4 - index}`),
    );
    for (const path of paths) expectLimited(await counting.post(path, {}, from(address)), 'guardian_link', 5);
    for (const path of LINKS) expect((await counting.get(path, from(address))).status).toBe(404);
    expect((await counting.post(ASK, {}, from(address))).status).toBe(400);
  });

  test('requests recovery ten times a minute, together with other operations on identities', async () => {
    const address = newAddress();
    const { holder } = await guardians.guarded();
    const answers = await inTurn(10, (index) =>
      index % 2
        ? counting.post('/api/relayer/beo/recovery', {}, from(address))
        : counting.post(ASK, { beoId: holder.id, newPublicKey: newPerson().publicKey }, from(address)),
    );
    expect(codes(answers)).toEqual(times(10).map((index) => (index % 2 ? 'VALIDATION_FAILED' : 200)));
    expectLimited(await counting.post(ASK, {}, from(address)), 'relayer', 10);
    expectLimited(await counting.post('/api/relayer/beo', {}, from(address)), 'relayer', 10);
    expect((await counting.post(CONFIRM, {}, from(address))).status).toBe(400);
  });

  test('opens links sixty times a minute, HEAD included, besides other reads', async () => {
    const address = newAddress();
    const { path } = await guardians.invited();
    for (const _ of times(60)) await counting.get('/api/ledger', from(address));
    expectLimited(await counting.get('/api/ledger', from(address)), 'query', 60);
    const answers = await inTurn(60, (index) =>
      counting.request([path, ...LINKS][index % 3] ?? '', {
        method: index % 4 ? 'GET' : 'HEAD',
        headers: from(address),
      }),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.at(-1)?.headers.get('ratelimit')).toMatch(/^"guardian_read";r=0;t=\d+$/);
    expectLimited(await counting.get(path, from(address)), 'guardian_read', 60);
    const head = await counting.request(path, { method: 'HEAD', headers: from(address) });
    expect(head.status).toBe(429);
    expect((await counting.post(path, {}, from(address))).status).toBe(400);
  });
});

describe('one key', () => {
  test('invites five times a minute from any address, and others cannot use that up', async () => {
    const holder = await guardians.newHolder();
    const stranger = { ...holder, person: newPerson() };
    const forged = await inTurn(6, () => counting.post(INVITE, invitation(stranger), from(newAddress())));
    expect(new Set(codes(forged))).toEqual(new Set(['INVALID_SIGNATURE']));
    const first = invitation(holder);
    expect((await counting.post(INVITE, first, from(newAddress()))).status).toBe(201);
    const replayed = await inTurn(6, () => counting.post(INVITE, first, from(newAddress())));
    expect(new Set(codes(replayed))).toEqual(new Set(['NONCE_REUSED']));
    const mine = await inTurn(4, () => counting.post(INVITE, invitation(holder), from(newAddress())));
    expect(new Set(codes(mine))).toEqual(new Set(['GUARDIAN_ROLE_TAKEN']));
    expectLimited(await counting.post(INVITE, invitation(holder), from(newAddress())), 'guardian_invite', 5);
    const other = await guardians.newHolder();
    expect((await counting.post(INVITE, invitation(other), from(newAddress()))).status).toBe(201);
  });

  test('is not limited for guardian operations, which must not wait', async () => {
    const { holder, guardians: seats } = await guardians.guarded();
    const confirm = () => {
      const fields = { beoId: holder.id, guardianId: seats[0].id, publicKey: seats[0].person.publicKey };
      return counting.post(CONFIRM, guardians.sign(holder.person, 'confirmGuardian', fields), from(newAddress()));
    };
    expect(new Set(codes(await inTurn(8, confirm)))).toEqual(new Set(['ALREADY_CONFIRMED']));
  });

  test('that signs a recovery request is limited like any signing key', async () => {
    const { holder } = await guardians.guarded();
    const next = newPerson();
    const ask = () => {
      const fields = { beoId: holder.id, newPublicKey: next.publicKey };
      return counting.post(ASK, guardians.sign(next, 'requestRecovery', fields), from(newAddress()));
    };
    expect(codes(await inTurn(10, ask))).toEqual(times(10).map(() => 200));
    expectLimited(await ask(), 'relayer', 10);
    const unsigned = { beoId: holder.id, newPublicKey: next.publicKey };
    expect((await counting.post(ASK, unsigned, from(newAddress()))).status).toBe(200);
  });
});
