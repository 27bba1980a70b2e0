import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { wholeChain } from '../../ledger/test-chain.ts';
import { freshDomain, newPerson, type SignedBody, startTestService, type TestService } from '../../test-service.ts';
import { createRequestListener } from '../request-listener.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const PATH = '/api/relayer/beo';
const KIB = 1024;

function creation() {
  const person = newPerson();
  return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
}

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.request(PATH, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

/** A request whose body comes in pieces, without a content-length unless one is given. */
async function sendPieces(pieces: Iterable<string | Uint8Array>, headers: Record<string, string | number> = {}) {
  const request = httpRequest(service.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.on('error', () => undefined);
  for (const piece of pieces) request.write(piece);
  request.end();
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(parts).toString()) };
}

function* repeated(piece: Uint8Array, times: number) {
  for (let time = 0; time < times; time++) yield piece;
}

describe('a body that is not JSON in UTF-8', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a form', 'domain=anna.bsp'],
    ['half an object', '{"domain":"anna.bsp"'],
    ['two objects', '{}{}'],
    ['a trailing comma', '{"domain":"anna.bsp",}'],
    ['single quotes', "{'domain':'anna.bsp'}"],
    ['NaN', '{"domain":NaN}'],
    ['a raw control character', '{"domain":"a\u0001"}'],
    ['a byte order mark', `\uFEFF${JSON.stringify({})}`],
    ['invalid UTF-8', Uint8Array.from([...Buffer.from('{"domain":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['an overlong encoding', Uint8Array.from([...Buffer.from('{"domain":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
    ['a surrogate in UTF-8', Uint8Array.from([...Buffer.from('{"domain":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Uint8Array.from(Buffer.from('{}', 'utf16le'))],
    ['100 000 brackets that are never closed', '['.repeat(100_000)],
  ])('is refused: %s', async (_, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('JSON that cannot be stored', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each<[string, string, string]>([
    ['33 levels', `{"recovery":${nested(32)}}`, 'is nested deeper than 32 levels'],
    ['100 000 levels', nested(100_000), 'is nested deeper than 32 levels'],
    [
      '100 000 objects in each other',
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
      'is nested deeper than 32 levels',
    ],
    ['__proto__', '{"__proto__":{"admin":true}}', 'is not allowed as a name'],
    ['__proto__ within', '{"recovery":{"guardians":[{"__proto__":null}]}}', 'is not allowed as a name'],
    ['__proto__ in disguise', '{"\\u005f_proto__":1}', 'is not allowed as a name'],
    ['NUL in a text', '{"domain":"a\\u0000.bsp"}', 'contains a NUL character'],
    ['NUL in a name', '{"dom\\u0000ain":"a.bsp"}', 'contains a NUL character'],
    ['half of a surrogate pair', '{"domain":"\\ud83d.bsp"}', 'contains half of a surrogate pair'],
    ['the wrong half', '{"recovery":{"guardians":[{"name":"\\udca9\\ud83d"}]}}', 'contains half of a surrogate pair'],
    ['half of a pair in a name', '{"\\ud800":1}', 'contains half of a surrogate pair'],
    ['1e400', '{"domain":1e400}', 'is a number that is too large'],
    ['-1e400', '{"recovery":[-1e400]}', 'is a number that is too large'],
  ])('is refused: %s', async (_, body, message) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.details.issues[0].message).toBe(message);
  });

  test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'has no field called %s',
    async (name) => {
      const answer = await send(JSON.stringify({ ...creation(), [name]: { prototype: { admin: true } } }));
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(answer.body.details.issues).toEqual([{ path: name, message: 'is not a field of this operation' }]);
    },
  );

  test('is parsed up to 32 levels, and then checked by the operation', async () => {
    const answer = await send(`{"recovery":${nested(31)}}`);
    expect(answer.body.code).toBe('VALIDATION_FAILED');
    expect(answer.body.error).not.toContain('nested');
  });
});

test('1e30 and its like are numbers, and signed as such', async () => {
  const person = newPerson();
  const guardian = { name: 'A', contact: 'b', role: 'primary', weight: 1e30, share: -0.0000001, zero: 0 };
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians: [guardian] } };
  const signed = person.sign('createBEO', fields);
  const sent = JSON.stringify(signed)
    .replace('1e+30', '1000000000000000000000000000000.0')
    .replace('"zero":0', '"zero":-0');
  expect(sent).toContain('000.0');
  expect((await send(sent)).status).toBe(201);
});

test('of a repeated name the last one counts, for the signature too', async () => {
  const signed = creation();
  const other = JSON.stringify('somebody-else.bsp');
  const body = JSON.stringify(signed);
  const last = await send(body.replace('{', `{"domain":${other},`));
  expect(last.status).toBe(201);
  expect(last.body.domain).toBe(signed.domain);
  const changed = await send(JSON.stringify(creation()).replace(/\}$/, `,"domain":${other}}`));
  expect([changed.status, changed.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
});

test('text beyond ASCII, written in any way JSON allows, is the same text', async () => {
  const person = newPerson();
  const guardian = { name: 'Zoë 💚 \u2028 \u007f', contact: '\u{10ffff}', role: 'primary' };
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians: [guardian] } };
  const body = JSON.stringify(person.sign('createBEO', fields));
  const escaped = body.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  expect(escaped).not.toBe(body);
  expect((await send(`\n\t${escaped} `)).status).toBe(201);
});

describe('a body that is too large', () => {
  const padded = (size: number) => JSON.stringify(creation()).padEnd(size);

  test('is refused, and one byte less is not', async () => {
    expect((await send(padded(256 * KIB))).status).toBe(201);
    const { status, body } = await send(padded(256 * KIB + 1));
    expect([status, body.code, body.details]).toEqual([413, 'BODY_TOO_LARGE', { max_bytes: 262_144 }]);
  });

  test('is refused by its Content-Length, before it is sent', async () => {
    const { status, body } = await sendPieces([], { 'content-length': 10 ** 12 });
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('is refused when it is chunked, without a Content-Length', async () => {
    const piece = Buffer.alloc(64 * KIB, ' ');
    expect((await sendPieces([JSON.stringify(creation()), ...repeated(piece, 3)])).status).toBe(201);
    const { status, body } = await sendPieces([JSON.stringify(creation()), ...repeated(piece, 4)]);
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const huge = await sendPieces(repeated(piece, 160));
    expect([huge.status, huge.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});

describe('the type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/ld+json',
  ])('may be %s', async (type) => {
    expect((await send(JSON.stringify(creation()), { 'content-type': type })).status).toBe(201);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'json',
  ])('may not be %s', async (type) => {
    const answer = await send(JSON.stringify(creation()), { 'content-type': type });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

test('the bodies of requests that wait are bounded together, until they are answered', async () => {
  const { context } = service.service;
  const server = createServer(createRequestListener(context, null, 500 * KIB)).listen(0, '127.0.0.1');
  const submit = vi.spyOn(context.queue, 'submit');
  const client = new pg.Client({ connectionString: service.databaseUrl });
  onTestFinished(async () => {
    submit.mockRestore();
    server.close();
    await client.end();
  });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM ledger_head FOR UPDATE');
  const { port } = server.address() as AddressInfo;
  const large = () => {
    const person = newPerson();
    const recovery = { guardians: [], note: 'a'.repeat(240 * KIB) };
    return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery });
  };
  const post = async (body: SignedBody) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${PATH}`, init);
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  const waiting = [post(large()), post(large())];
  await expect.poll(() => submit.mock.calls.length).toBe(2);
  const third = large();
  expect(await post(third)).toEqual([503, 'UNAVAILABLE']);
  await client.query('COMMIT');
  expect(await Promise.all(waiting)).toEqual([
    [201, undefined],
    [201, undefined],
  ]);
  expect(await post(third)).toEqual([201, undefined]);
});

test('an unknown query parameter of a write is refused', async () => {
  const { status, body } = await service.post(`${PATH}?dry_run=1`, creation());
  expect([status, body.code, body.details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', 'dry_run']);
});

test('none of these requests left an entry in the ledger', async () => {
  for (const entry of await wholeChain(service.service.context.pool)) expect(entry.function).toBe('createBEO');
});
