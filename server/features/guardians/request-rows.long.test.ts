import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import { type Answer, newPerson, type Person, startTestService, type TestService } from '../../testing/test-service.ts';
import { saveRequest } from './request-rows.ts';
import { ACCEPT_JSON, type Guarded, type Guardians, guardiansOf, HOUR } from './test-guardians.ts';

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'guardians@example.org' };
  service = await startTestService({ ...mail, TRUST_PROXY: '1' }, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const PATH = '/api/relayer/beo/request-recovery';
const HOME = '198.51.100.7';

interface Asking {
  readonly from: string;
  readonly signed: boolean;
  readonly person?: Person;
}

/** A request that must be opened. */
async function ask(beoId: string, { from, signed, person = newPerson() }: Asking): Promise<Answer['body']> {
  const fields = { beoId, newPublicKey: person.publicKey };
  const body = signed ? guardians.sign(person, 'requestRecovery', fields) : fields;
  const answer = await service.post(PATH, body, { 'x-forwarded-for': from });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const OVER_HTTP = 20;

/**
 * Opens `count` requests, later than every earlier one. All but the last few are stored by the function that the service
 * stores them with, because a thousand HTTP requests take long. @returns the id of the first and the response to the last
 */
async function flood(beoId: string, count: number, asking: (index: number) => Asking) {
  const { pool, requesters } = service.service.context;
  const stored = count - OVER_HTTP;
  shift += 1_000;
  const beginning = Date.now() + shift;
  const ids = Array.from({ length: stored }, () => randomUUID());
  const client = await pool.connect();
  await client.query('BEGIN');
  for (const [index, requestId] of ids.entries()) {
    const { from, signed: isSigned } = asking(index);
    const openedAt = new Date(beginning + index).toISOString();
    const request = { requestId, beoId, newPublicKey: randomBytes(32).toString('hex'), openedAt, isSigned };
    await saveRequest(client, { ...request, ...requesters(beoId, from) }, []);
  }
  await client.query('COMMIT');
  client.release();
  shift += stored;
  const opened: Answer['body'][] = [];
  for (let index = stored; index < count; index++) opened.push(await ask(beoId, asking(index)));
  return { first: ids[0] ?? '', last: opened.at(-1) };
}

async function isOpen(requestId: string): Promise<boolean> {
  const { rowCount } = await service.service.context.pool.query('SELECT FROM recovery_requests WHERE id = $1', [
    requestId,
  ]);
  return rowCount === 1;
}

const linkOf = ({ guardians: [one] }: Guarded, request: Answer['body']) =>
  service.get(guardians.linkFor(request, one), ACCEPT_JSON);

const ipv4 = (index: number): string => `${1 + (index % 200)}.${Math.floor(index / 200)}.3.4`;

describe('the maximum of open recovery requests', () => {
  test('of unsigned requests does not displace signed ones', async () => {
    const guarded = await guardians.guarded();
    const person = newPerson();
    const genuine = await ask(guarded.holder.id, { from: HOME, signed: true, person });
    const { first } = await flood(guarded.holder.id, 1_010, (index) => ({ from: ipv4(index), signed: false }));
    expect((await linkOf(guarded, genuine)).status).toBe(200);
    expect(await isOpen(first)).toBe(false);
    const [one, two] = guarded.guardians;
    for (const guardian of [one, two]) {
      expect((await guardians.confirm(genuine, guarded.holder, person.publicKey, guardian)).status).toBe(200);
    }
    expect(await guardians.beoOf(guarded.holder.id)).toMatchObject({ public_key: person.publicKey });
  });

  test.each([
    ['signed, from one IPv4 /24 of the same network', true, (index: number) => `198.51.7.${index % 256}`],
    ['unsigned, from one IPv6 /48', false, (index: number) => `2001:db8:7:${index.toString(16)}::1`],
  ])('displaces requests of the address with the most: %s', async (_, signed, address) => {
    const guarded = await guardians.guarded();
    const { id } = guarded.holder;
    const genuine = await ask(id, { from: HOME, signed });
    const { first, last } = await flood(id, 1_010, (index) => ({ from: address(index), signed }));
    expect((await linkOf(guarded, genuine)).status).toBe(200);
    expect(await isOpen(first)).toBe(false);
    expect((await linkOf(guarded, last)).status).toBe(200);
    const { rows } = await service.service.context.pool.query(
      'SELECT count(*) AS open FROM recovery_requests WHERE beo_id = $1',
      [id],
    );
    expect(rows).toEqual([{ open: 1_000 }]);
  });

  test('displaces, on a tie, a request of the network with the most', async () => {
    const guarded = await guardians.guarded();
    const genuine = await ask(guarded.holder.id, { from: HOME, signed: true });
    const provider = (index: number) => `2001:db8:${index.toString(16)}::1`;
    await flood(guarded.holder.id, 1_005, (index) => ({ from: provider(index), signed: true }));
    expect((await linkOf(guarded, genuine)).status).toBe(200);
  });
});

describe('the addresses of requesters', () => {
  const requesters = async (beoId: string) =>
    (
      await service.service.context.pool.query(
        'SELECT requester, network FROM recovery_requests WHERE beo_id = $1 ORDER BY opened_at',
        [beoId],
      )
    ).rows;

  test('are kept as hashes per identity, until a request ends', async () => {
    const { pool } = service.service.context;
    const ids: string[] = [];
    for (let index = 0; index < 2; index++) {
      const { holder } = await guardians.guarded();
      await ask(holder.id, { from: HOME, signed: false });
      await ask(holder.id, { from: '198.51.100.200', signed: true });
      ids.push(holder.id);
    }
    const [one, other] = await Promise.all(ids.map(requesters));
    expect(one).toEqual([one?.[0], one?.[0]]);
    expect(other?.[0]).not.toEqual(one?.[0]);
    const texts =
      'SELECT recovery_requests::text AS row FROM recovery_requests UNION ALL SELECT recovery_mailings::text FROM recovery_mailings';
    for (const { row } of (await pool.query<{ row: string }>(texts)).rows) expect(row).not.toContain('198.51');
    const mailings = 'SELECT FROM recovery_mailings WHERE beo_id = ANY($1)';
    expect((await pool.query(mailings, [ids])).rowCount).toBe(2);

    shift += 25 * HOUR;
    await expect.poll(async () => (await pool.query(mailings, [ids])).rowCount).toBe(0);
    expect(await requesters(ids[0] ?? '')).toEqual(one);
    shift += 48 * HOUR;
    await expect
      .poll(() => requesters(ids[0] ?? ''))
      .toEqual([
        { requester: null, network: null },
        { requester: null, network: null },
      ]);
  });
});
