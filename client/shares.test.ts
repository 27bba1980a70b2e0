import { createCipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import shares from '../protocol/vectors/shares.json' with { type: 'json' };
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { decryptFile, encryptFiles, openShareText, readShareLink, type ShareLink, shareLink } from './shares.ts';
import { newHolder } from './test-story.ts';

let service: TestService;
let client: Client;
/** A server of others, which answers as a test says. */
let answer: (path: string, body: string) => { status?: number; type?: string; body: string };
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { status = 200, type = 'application/json', body: text } = answer(request.url ?? '', body);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
});
beforeAll(async () => {
  service = await startTestService();
  client = createClient({ url: service.url, retries: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await service.stop();
  server.close();
});

const BUNDLE = { contentType: 'application/fhir+json', content: '{"resourceType":"Bundle"}' } as const;
const RECIPIENT = { recipient: 'A clinic' };
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const linkTo = (key: string, more: Partial<ShareLink> = {}) =>
  shareLink({ url: `${origin()}/m`, key, exp: null, flag: '', label: null, ...more });
const manifestOf = (...files: object[]) => JSON.stringify({ files });
const embedded = (jwe: string, contentType: string = BUNDLE.contentType) => ({ contentType, embedded: jwe });

/** A JWE as others may write it, by node:crypto alone. */
function jweOf(key: Buffer, content: Uint8Array, header: object): string {
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(encoded));
  const parts = [nonce, Buffer.concat([cipher.update(content), cipher.final()]), cipher.getAuthTag()];
  return [encoded, '', ...parts.map((part) => part.toString('base64url'))].join('.');
}

test.each(shares.cases.map((vector) => [vector.name, vector] as const))(
  'the vector “%s” is read',
  async (_, vector) => {
    const { key, file, contentType, content, link, payload } = vector;
    expect(await decryptFile(file, key)).toEqual({ contentType, content });
    expect(readShareLink(link)).toEqual({ flag: '', ...JSON.parse(payload) });
    expect(shareLink(readShareLink(link))).toBe(link);
  },
);

test('a link has what the specification lists, and a viewer before it', () => {
  const payload = { url: 'https://a.example/m', key: 'A'.repeat(43), exp: 1_800_000_000, flag: 'P', label: 'Results' };
  const link = shareLink(payload, 'https://b.example/view#');
  expect(link).toMatch(/^https:\/\/b\.example\/view#shlink:\/[\w-]+$/);
  expect(JSON.parse(Buffer.from(link.split('shlink:/')[1] ?? '', 'base64url').toString())).toEqual(payload);
  expect(readShareLink(link)).toEqual(payload);
  const wrong = [{ url: `https://a.example/${'m'.repeat(120)}` }, { label: 'x'.repeat(81) }];
  for (const one of wrong) expect(() => shareLink({ ...payload, ...one })).toThrow(/may have/);
  expect(() => shareLink(payload, 'https://b.example/view')).toThrow(/must end with #/);
});

test('links of others are read leniently, and what is no link is refused', () => {
  const linkOf = (payload: unknown, padding = '') =>
    `shlink:/${Buffer.from(JSON.stringify(payload)).toString('base64url')}${padding}`;
  const link = { url: 'https://a.example/m', key: 'A'.repeat(43) };
  const read = { ...link, exp: null, flag: '', label: null };
  expect(readShareLink(linkOf({ ...link, exp: '1800000000', more: 1 }, '=\n'))).toEqual({
    ...read,
    exp: 1_800_000_000,
  });
  expect(readShareLink(linkOf({ ...link, key: `${link.key}=`, flag: 'LQ', v: 1 }))).toEqual({ ...read, flag: 'LQ' });
  for (const payload of [
    'text',
    { ...link, v: 2 },
    { ...link, key: 'short' },
    { key: link.key },
    { ...link, url: 'javascript:alert(1)' },
    { ...link, url: 'http://a.example/m' },
  ]) {
    expect(() => readShareLink(linkOf(payload)), JSON.stringify(payload)).toThrow(
      expect.objectContaining({ code: 'LINK_INVALID' }),
    );
  }
  for (const text of ['', 'https://a.example', 'shlink:/', 'shlink:/€']) expect(() => readShareLink(text)).toThrow();
});

test('a share that was made here is opened here, and each file has a nonce of its own', async () => {
  const { beoId, key } = await newHolder(client);
  const card = { contentType: 'application/smart-health-card', content: '{"verifiableCredential":[]}' } as const;
  const { link, share } = await client.createShare({ beoId, label: 'Dr. Lima', files: [BUNDLE, card] }, { key });
  expect(await client.openShare(link, RECIPIENT)).toEqual([BUNDLE, card]);
  expect(await client.openShare(link, { ...RECIPIENT, embeddedLengthMax: 0 })).toEqual([BUNDLE, card]);
  expect(share.max_openings).toBe(10);
  const [one, other] = (await encryptFiles([BUNDLE, BUNDLE])).files.map((jwe) => jwe.split('.')[2]);
  expect(one).not.toBe(other);
  await client.stopShare({ beoId, shareId: share.share_id }, { key });
  await expect(client.openShare(link, RECIPIENT)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
});

test('a wrong passcode is refused with the attempts that are left', async () => {
  const { beoId, key } = await newHolder(client);
  const { link } = await client.createShare({ beoId, label: 'x', files: [BUNDLE], passcode: 'a\u0301bacate' }, { key });
  expect(readShareLink(link).flag).toBe('P');
  const refused = (remainingAttempts: number) => ({ code: 'PASSCODE_INVALID', details: { remainingAttempts } });
  await expect(client.openShare(link, RECIPIENT)).rejects.toMatchObject(refused(10));
  await expect(client.openShare(link, { ...RECIPIENT, passcode: 'x' })).rejects.toMatchObject(refused(9));
  expect(await client.openShare(link, { ...RECIPIENT, passcode: '\u00e1bacate' })).toEqual([BUNDLE]);
});

test('a response that was lost is asked for again, and makes no second share', async () => {
  const { beoId, key } = await newHolder(client);
  let sent = 0;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    if (String(url).endsWith('/api/shares') && sent++ % 2 === 0) throw new TypeError('The connection was lost.');
    return response;
  };
  const unlucky = createClient({ url: service.url, fetch });
  const { link } = await unlucky.createShare({ beoId, label: 'x', files: [BUNDLE] }, { key });
  expect(await client.openShare(link, RECIPIENT)).toEqual([BUNDLE]);
  const count = async () => (await client.listShares({ beoId }, { key })).shares.length;
  expect([sent, await count()]).toEqual([2, 1]);

  const impatient = createClient({ url: service.url, fetch, retries: 0 });
  const share = { beoId, label: 'y', files: [BUNDLE] };
  await expect(impatient.createShare(share, { key })).rejects.toMatchObject({ code: 'NO_RESPONSE' });
  const again = await impatient.createShare(share, { key });
  expect(await client.openShare(again.link, RECIPIENT)).toEqual([BUNDLE]);
  expect([sent, await count()]).toEqual([4, 2]);
  // Once answered, the same object makes another share.
  await client.createShare(share, { key });
  expect(await count()).toBe(3);
});

test('more than a share can hold is refused before it is sent', async () => {
  const { beoId, key } = await newHolder(client);
  const files = [{ contentType: BUNDLE.contentType, content: randomBytes(2 ** 22).toString('base64') }];
  await expect(client.createShare({ beoId, label: 'x', files }, { key })).rejects.toMatchObject({
    code: 'BODY_TOO_LARGE',
    status: null,
  });
});

test('shares of others are opened: compressed or not, embedded or at an address, directly, without a type', async () => {
  const key = randomBytes(32);
  const content = Buffer.from(BUNDLE.content);
  const header = { alg: 'dir', enc: 'A256GCM', cty: BUNDLE.contentType };
  const files = [
    embedded(jweOf(key, content, header)),
    embedded(jweOf(key, deflateRawSync(content), { ...header, zip: 'DEF', kid: '1' })),
    { contentType: BUNDLE.contentType, location: `${origin()}/f` },
    embedded(jweOf(key, content, { alg: 'dir', enc: 'A256GCM' })),
  ];
  answer = (path) =>
    path === '/m'
      ? { body: manifestOf(...files) }
      : { type: 'application/jose', body: `${jweOf(key, content, header)}\n` };
  const text = key.toString('base64url');
  expect(await client.openShare(linkTo(text), RECIPIENT)).toEqual([BUNDLE, BUNDLE, BUNDLE, BUNDLE]);
  const direct = linkTo(text, { url: `${origin()}/f?a=b`, flag: 'LU' });
  expect(await client.openShare(direct, RECIPIENT)).toEqual([BUNDLE]);
});

test('a server that lies about what is encrypted is found out', async () => {
  const key = randomBytes(32);
  const content = Buffer.from(BUNDLE.content);
  const header = { alg: 'dir', enc: 'A256GCM', cty: BUNDLE.contentType };
  const good = jweOf(key, content, header);
  const [head = '', , nonce = '', ciphertext = '', tag = ''] = good.split('.');
  const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
  const other = Buffer.from(JSON.stringify({ ...header, cty: 'application/smart-health-card' })).toString('base64url');
  const lies = [
    [head, '', nonce, flipped(ciphertext), tag].join('.'),
    [head, '', flipped(nonce), ciphertext, tag].join('.'),
    [head, '', nonce, ciphertext, flipped(tag)].join('.'),
    [other, '', nonce, ciphertext, tag].join('.'),
    [head, nonce, nonce, ciphertext, tag].join('.'),
    jweOf(randomBytes(32), content, header),
    jweOf(key, content, { ...header, enc: 'A128GCM' }),
    jweOf(key, content, { ...header, alg: 'none' }),
    jweOf(key, content, { ...header, zip: 'GZIP' }),
    jweOf(key, content, { ...header, zip: 'DEF' }),
    BUNDLE.content,
  ];
  const text = key.toString('base64url');
  for (const lie of lies) {
    await expect(decryptFile(lie, text), lie).rejects.toMatchObject({ code: 'SHARE_INVALID' });
    answer = () => ({ body: manifestOf(embedded(lie)) });
    await expect(client.openShare(linkTo(text), RECIPIENT)).rejects.toMatchObject({ code: 'SHARE_INVALID' });
  }
  answer = () => ({ body: manifestOf(embedded(good, 'application/smart-health-card')) });
  await expect(client.openShare(linkTo(text), RECIPIENT)).rejects.toMatchObject({ code: 'SHARE_INVALID' });
  for (const body of ['', '[]', '{"files":{}}', manifestOf({}), manifestOf({ location: 'file:///etc/passwd' })]) {
    answer = () => ({ body });
    await expect(client.openShare(linkTo(text), RECIPIENT)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  }
});

test('a share of others may have 50 files and 64 MiB, and one time limit is for all of them', async () => {
  const key = randomBytes(32);
  const header = { alg: 'dir', enc: 'A256GCM', cty: BUNDLE.contentType, zip: 'DEF' };
  const text = key.toString('base64url');
  const tooLarge = { code: 'SHARE_INVALID', details: { tooLarge: true } };
  answer = () => ({
    body: manifestOf(...Array(51).fill({ contentType: BUNDLE.contentType, location: `${origin()}/f` })),
  });
  await expect(client.openShare(linkTo(text), RECIPIENT)).rejects.toMatchObject(tooLarge);
  const large = embedded(jweOf(key, deflateRawSync(Buffer.alloc(33 * 2 ** 20)), header));
  answer = () => ({ body: manifestOf(large, large) });
  await expect(client.openShare(linkTo(text), RECIPIENT)).rejects.toMatchObject(tooLarge);

  const small = jweOf(key, deflateRawSync(Buffer.from(BUNDLE.content)), header);
  const files = Array(3).fill({ contentType: BUNDLE.contentType, location: `${origin()}/f` });
  answer = (path) => ({ body: path === '/m' ? manifestOf(...files) : small });
  const timeout = 250;
  // Each answer takes less than the limit, and two take more.
  const slow: typeof fetch = async (url, init) => {
    await setTimeout(timeout * 0.6);
    return fetch(url, init);
  };
  await expect(openShareText(linkTo(text), { ...RECIPIENT, fetch: slow, timeout })).rejects.toMatchObject({
    code: 'NO_RESPONSE',
  });
});

test('a file that decompresses to more than 64 MiB is refused', async () => {
  const key = randomBytes(32);
  const header = { alg: 'dir', enc: 'A256GCM', cty: BUNDLE.contentType, zip: 'DEF' };
  const bomb = jweOf(key, deflateRawSync(Buffer.alloc(65 * 2 ** 20)), header);
  await expect(decryptFile(bomb, key.toString('base64url'))).rejects.toMatchObject({
    code: 'SHARE_INVALID',
    message: 'A file of this share is too large.',
  });
});
