import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { wholeChain } from '../../ledger/test-chain.ts';
import {
  freshDomain,
  newPerson,
  type SignedBody,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
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

/** Sends a body in chunks, without Content-Length unless it is in `headers`. */
async function sendChunks(chunks: Iterable<string | Uint8Array>, headers: Record<string, string | number> = {}) {
  const request = httpRequest(service.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  const received = once(request, 'response') as Promise<[IncomingMessage]>;
  request.on('error', () => undefined);
  for (const chunk of chunks) request.write(chunk);
  request.end();
  const [response] = await received;
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

function* repeated(chunk: Uint8Array, times: number) {
  for (let time = 0; time < times; time++) yield chunk;
}

describe('a body that is not JSON in UTF-8', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['an empty body', ''],
    ['white space', ' \n'],
    ['a form', 'domain=anna.bsp'],
    ['a truncated object', '{"domain":"anna.bsp"'],
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
    ['100 000 unclosed brackets', '['.repeat(100_000)],
  ])('is refused: %s', async (_, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('JSON that cannot be stored', () => {
  const ROUNDED = 'is a number that would be rounded: send it as text';
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  test.each<[string, string, string]>([
    ['33 levels', `{"recovery":${nested(32)}}`, 'is nested deeper than 32 levels'],
    ['100 000 levels', nested(100_000), 'is nested deeper than 32 levels'],
    ['100 000 nested objects', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, 'is nested deeper than 32 levels'],
    ['__proto__', '{"__proto__":{"admin":true}}', 'is not allowed as a name'],
    ['nested __proto__', '{"recovery":{"guardians":[{"__proto__":null}]}}', 'is not allowed as a name'],
    ['escaped __proto__', '{"\\u005f_proto__":1}', 'is not allowed as a name'],
    ['NUL in a string', '{"domain":"a\\u0000.bsp"}', 'contains a NUL character'],
    ['NUL in a name', '{"dom\\u0000ain":"a.bsp"}', 'contains a NUL character'],
    ['a high surrogate alone', '{"domain":"\\ud83d.bsp"}', 'contains half of a surrogate pair'],
    [
      'surrogates in the wrong order',
      '{"recovery":{"guardians":[{"name":"\\udca9\\ud83d"}]}}',
      'contains half of a surrogate pair',
    ],
    ['a surrogate alone in a name', '{"\\ud800":1}', 'contains half of a surrogate pair'],
    ['1e400', '{"domain":1e400}', ROUNDED],
    ['-1e400', '{"recovery":[-1e400]}', ROUNDED],
    ['1e-400', '{"recovery":{"guardians":[],"note":1e-400}}', ROUNDED],
    ['an integer beyond 2^53', '{"recovery":{"guardians":[],"note":9007199254740993}}', ROUNDED],
  ])('is refused: %s', async (_, body, message) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.details.issues[0].message).toBe(message);
  });

  test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'is refused with a field called %s',
    async (name) => {
      const answer = await send(JSON.stringify({ ...creation(), [name]: { prototype: { admin: true } } }));
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(answer.body.details.issues).toEqual([{ path: name, message: 'is not a field of this operation' }]);
    },
  );

  test('may have 32 levels of nesting', async () => {
    const answer = await send(`{"recovery":${nested(31)}}`);
    expect(answer.body.code).toBe('VALIDATION_FAILED');
    expect(answer.body.error).not.toContain('nested');
  });
});

test('numbers have the same signature in any JSON notation', async () => {
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

test('the last value of a repeated name is used, also for the signature', async () => {
  const signed = creation();
  const domain = JSON.stringify('another-holder.bsp');
  const body = JSON.stringify(signed);
  const before = await send(body.replace('{', `{"domain":${domain},`));
  expect(before.status).toBe(201);
  expect(before.body.domain).toBe(signed.domain);
  const changed = await send(JSON.stringify(creation()).replace(/\}$/, `,"domain":${domain}}`));
  expect([changed.status, changed.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
});

test('text has the same signature with and without JSON escapes', async () => {
  const person = newPerson();
  const guardian = { name: 'Zoë 💚', contact: '\u{10ffff}', role: 'primary', note: '\u2028 \u007f' };
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians: [guardian] } };
  const body = JSON.stringify(person.sign('createBEO', fields));
  const escaped = body.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  expect(escaped).not.toBe(body);
  expect((await send(`\n\t${escaped} `)).status).toBe(201);
});

describe('a body that is too large', () => {
  const padded = (size: number) => JSON.stringify(creation()).padEnd(size);

  test('is refused from one byte above the limit', async () => {
    expect((await send(padded(256 * KIB))).status).toBe(201);
    const { status, body } = await send(padded(256 * KIB + 1));
    expect([status, body.code, body.details]).toEqual([413, 'BODY_TOO_LARGE', { max_bytes: 262_144 }]);
  });

  test('is refused by its Content-Length before it is sent', async () => {
    const { status, body } = await sendChunks([], { 'content-length': 10 ** 12 });
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('is refused when it is chunked, without a Content-Length', async () => {
    const chunk = Buffer.alloc(64 * KIB, ' ');
    expect((await sendChunks([JSON.stringify(creation()), ...repeated(chunk, 3)])).status).toBe(201);
    const { status, body } = await sendChunks([JSON.stringify(creation()), ...repeated(chunk, 4)]);
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const huge = await sendChunks(repeated(chunk, 160));
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

test.each(['gzip', 'br', 'GZIP', 'gzip, identity'])(
  'a body with the content coding %s is refused in a sentence',
  async (coding) => {
    const headers = { 'content-encoding': coding };
    for (const body of [gzipSync(JSON.stringify(creation())), JSON.stringify(creation())]) {
      const answer = await send(body, headers);
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must not be compressed: send it without Content-Encoding.',
      ]);
    }
  },
);

test('a body may say that it has no content coding', async () => {
  expect((await send(JSON.stringify(creation()), { 'content-encoding': 'identity' })).status).toBe(201);
});

test('the bodies of waiting requests have a common limit, which large ones cannot use up for small ones', async () => {
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
  waiting.push(post(creation()));
  await expect.poll(() => submit.mock.calls.length).toBe(3);
  await client.query('COMMIT');
  expect(await Promise.all(waiting)).toEqual([
    [201, undefined],
    [201, undefined],
    [201, undefined],
  ]);
  expect(await post(third)).toEqual([201, undefined]);
});

test('an unknown query parameter of a write is refused', async () => {
  const { status, body } = await service.post(`${PATH}?dry_run=1`, creation());
  expect([status, body.code, body.details.issues[0].path]).toEqual([400, 'VALIDATION_FAILED', 'dry_run']);
});

test('refused requests left no entries on the ledger', async () => {
  for (const entry of await wholeChain(service.service.context.pool)) expect(entry.function).toBe('createBEO');
});
