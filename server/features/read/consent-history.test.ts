import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFull } from '../../../protocol/test-amount.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf, READING } from '../../write/test-parties.ts';

const longTest = inFull(test);

/** `GET /api/consent/history/:beo_domain`, which is complete without `limit`. Protocol §4. */
let service: TestService;
let parties: Parties;
let holder: Party;
let clinic: Party;
beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
});
afterAll(() => service.stop());

const { stringify } = JSON;
const withoutLedger = (token: object) => ({ ...token, ledger: null });
const idsIn = ({ tokens }: { tokens: { token_id: string }[] }) => tokens.map(({ token_id }) => token_id);
const history = async (query = '') => (await service.get(`/api/consent/history/${holder.domain}${query}`)).body;

/** Inserts older copies of a token, since granting so many would take minutes. */
async function copyToken(tokenId: string, from: number, count: number): Promise<void> {
  await service.service.context.pool.query(
    `INSERT INTO tokens SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'tok_' || gen_random_uuid(),
       'scope_key', t.scope_key || n, 'created_seq', -n))).* FROM tokens t, generate_series($2::int, $2::int + $3::int - 1) AS n WHERE id = $1`,
    [tokenId, from, count],
  );
}

test('without limit the history is complete, with active and revoked consents', async () => {
  const granted: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    granted.unshift((await parties.granted(holder, clinic.id, { ...READING, max_records: index + 1 })).token_id);
  }
  await parties.revoke(holder, granted[3] ?? '');
  const whole = await history();
  expect(Object.keys(whole)).toEqual(['tokens', 'count', 'next_cursor']);
  expect([whole.count, whole.next_cursor, idsIn(whole)]).toEqual([60, null, granted]);
  const { tokens } = await history('?limit=200');
  // The ledger status may change between the two requests.
  expect(whole.tokens.map(withoutLedger)).toEqual(tokens.map(withoutLedger));
  expect(whole.tokens.filter(({ status }: { status: string }) => status === 'ACTIVE')).toHaveLength(59);
  for (const empty of ['?limit=', '?cursor=', '?limit=&cursor=']) expect(idsIn(await history(empty))).toEqual(granted);
});

test('with limit or cursor it is returned in pages', async () => {
  const first = await history('?limit=5');
  expect([first.tokens.length, first.count]).toEqual([5, 60]);
  const rest = await history(`?cursor=${first.next_cursor}`);
  expect([rest.tokens.length, rest.next_cursor]).toEqual([50, expect.any(String)]);
});

test('a limit above the maximum means the maximum', async () => {
  await copyToken(idsIn(await history('?limit=1'))[0] ?? '', 1, 300);
  for (const limit of ['201', '1000', '99999999999999999999']) {
    const { tokens, count } = await history(`?limit=${limit}`);
    expect([tokens.length, count]).toEqual([200, 360]);
  }
  for (const limit of ['0', '-1', '1.5', 'all']) {
    expectRefusal(await service.get(`/api/consent/history/${holder.id}?limit=${limit}`), 'VALIDATION_FAILED');
  }
  expect(idsIn(await history())).toHaveLength(360);
});

test('it is empty for a holder without consents and an error for an unknown holder', async () => {
  const { domain } = await parties.newHolder();
  const { headers, body } = await service.get(`/api/consent/history/${domain}`);
  expect([headers.get('content-type'), stringify(body)]).toEqual([
    'application/json; charset=utf-8',
    '{"tokens":[],"count":0,"next_cursor":null}',
  ]);
  expectRefusal(await service.get('/api/consent/history/unknown.bsp'), 'BEO_NOT_FOUND');
});

longTest('if reading fails midway, the response breaks off and does not look complete', async () => {
  const { token_id: tokenId } = await parties.granted(holder, clinic.id, { ...READING, max_records: 1_000 });
  for (let from = 1_000; from < 31_000; from += 5_000) await copyToken(tokenId, from, 5_000);
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET /api/consent/history/${holder.id} HTTP/1.1\r\nHost: perpetua\r\nConnection: close\r\n\r\n`);
  let text = String((await once(socket, 'data'))[0]);
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text.toLowerCase()).toContain('transfer-encoding: chunked');
  socket.pause();
  const { pool } = service.service.context;
  // Reading pauses while the client does not read, so that the view is renamed before all of it is read.
  await pool.query('ALTER VIEW effective_tokens RENAME TO renamed_tokens');
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  const closed = once(socket, 'close');
  socket.on('error', () => undefined).resume();
  await closed;
  await pool.query('ALTER VIEW renamed_tokens RENAME TO effective_tokens');
  expect(text).toContain('"token_id"');
  expect(text).not.toContain('"next_cursor"');
  expect(text).not.toMatch(/0\r\n\r\n$/);
  expect((await history()).count).toBe(30_361);
});
