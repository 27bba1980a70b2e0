import { XMLValidator } from 'fast-xml-parser';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf } from '../../write/test-parties.ts';
import { asAtom, asJsonFeed } from './feed-formats.ts';

/** `GET /api/beos/:beoId/feed` and `GET /api/ieos/:ieoId/feed`, read with the parsers of a feed reader. Protocol §11. */
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
});
afterAll(() => service.stop());

const JSON_FEED = { accept: 'application/feed+json' };
const pathOf = (url: string | undefined): string => (url ?? '').slice(service.url.length);

async function atom(path: string, headers: Record<string, string> = {}) {
  const answer = await service.get(path, headers);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(XMLValidator.validate(answer.body)).toBe(true);
  return { feed: parseAtomFeed(answer.body), text: answer.body as string, headers: answer.headers };
}

async function json(path: string, headers: Record<string, string> = JSON_FEED) {
  const answer = await service.get(path, headers);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/feed+json; charset=utf-8']);
  return parseJsonFeed(answer.body);
}

const titlesOf = async (path: string): Promise<(string | undefined)[]> =>
  ((await json(path)).items ?? []).map(({ title }) => title);

test('the feed of an identity has its public events and those of its consents in words, newest first', async () => {
  const holder = await parties.newHolder();
  const clinic = await parties.newInstitution();
  const { token_id } = await parties.granted(holder, clinic.id);
  await parties.revoke(holder, token_id);
  await parties.beo(holder, 'rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey });
  const path = `/api/beos/${holder.id}/feed`;
  const { feed, headers } = await atom(path);
  expect([headers.get('vary'), headers.get('content-language'), headers.get('access-control-allow-origin')]).toEqual([
    'Accept, Accept-Language',
    'en',
    '*',
  ]);
  const entries = feed.entries ?? [];
  expect(entries.map(({ title }) => JSON.stringify(title))).toEqual([
    expect.stringContaining('Key replaced: '),
    expect.stringContaining(`Consent to ${clinic.domain} withdrawn`),
    expect.stringContaining(`Consent given to ${clinic.domain}: read records, until withdrawn`),
    expect.stringContaining('Identity created'),
  ]);
  expect(await titlesOf(path)).toHaveLength(4);
  // By any form of the alias rule, with the same id.
  expect((await atom(`/api/beos/${holder.domain}/feed`)).feed.id).toBe(`urn:uuid:${holder.id}`);
});

test('every member that RFC 4287 requires is there, and the ids stay the same', async () => {
  const holder = await parties.newHolder();
  const { feed, text } = await atom(`/api/beos/${holder.id}/feed`);
  const [entry] = feed.entries ?? [];
  expect(feed).toMatchObject({ id: `urn:uuid:${holder.id}`, authors: [{ name: 'Perpetua' }] });
  const links = (feed.links ?? []).map(({ rel, href }) => [rel, href]);
  expect(links).toEqual([
    ['self', `${service.url}/api/beos/${holder.id}/feed`],
    ['alternate', `${service.url}/explore/${holder.id}`],
  ]);
  expect(entry?.id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(entry?.links?.map(({ rel, href }) => [rel, href])).toEqual([
    ['alternate', `${service.url}/explore/${holder.transactionId}`],
  ]);
  expect(entry?.categories).toMatchObject([{ term: 'createBEO' }]);
  for (const name of ['id', 'title', 'updated'])
    expect(text.match(new RegExp(`<${name}>[^<]+</${name}>`, 'g'))).toHaveLength(2);
  expect(await atom(`/api/beos/${holder.id}/feed`)).toMatchObject({ text });
});

test('the feed of an institution has the decisions about it, and not the consents that it received', async () => {
  const clinic = await parties.newInstitution();
  await parties.granted(await parties.newHolder(), clinic.id);
  await parties.institute('certification', { ieoId: clinic.id, level: 'BASIC' }, 1);
  await parties.decide('suspendIEO', { ieoId: clinic.id, reason: 'A complaint.' });
  expect(await titlesOf(`/api/ieos/${clinic.id}/feed`)).toEqual([
    `Decided: ${clinic.domain} suspended`,
    'Certification given: Basic',
    'Institution registered: hospital or clinic',
  ]);
});

test('older entries are on pages that both formats link to', async () => {
  const holder = await parties.newHolder();
  for (let index = 0; index < 2; index += 1) {
    await parties.beo(holder, 'lock', 'lockBEO');
    await parties.beo(holder, 'unlock', 'unlockBEO');
  }
  const path = `/api/beos/${holder.id}/feed?limit=2`;
  const titles: unknown[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next; pages += 1) {
    const page: Awaited<ReturnType<typeof json>> = await json(next);
    titles.push(...(page.items ?? []).map(({ title }) => title));
    expect(pathOf(page.feed_url)).toBe(next);
    const { feed } = await atom(next);
    expect(feed.links?.find(({ rel }) => rel === 'next')?.href).toBe(page.next_url);
    next = page.next_url && pathOf(page.next_url);
  }
  const [frozen, thawed] = ['Identity frozen', 'Identity unfrozen'];
  expect([pages, titles]).toEqual([3, [thawed, frozen, thawed, frozen, 'Identity created']]);
  const other = await parties.newHolder();
  const cursor = new URL((await json(path)).next_url ?? '').searchParams.get('cursor');
  expectRefusal(await service.get(`/api/beos/${other.id}/feed?cursor=${cursor}`), 'VALIDATION_FAILED');
});

test.each([
  ['application/json', true],
  ['application/feed+json, */*;q=0.1', true],
  ['application/json, text/plain, */*', true],
  ['application/atom+xml, application/feed+json;q=0.9', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['application/feed+json;q=0, */*', false],
  ['*/*', false],
])('Accept: %s is answered as JSON: %s', async (accept, isJson) => {
  const holder = await parties.newHolder();
  const path = `/api/beos/${holder.id}/feed`;
  await (isJson ? json(path, { accept }) : atom(path, { accept }));
});

test('each format and language has an ETag that changes with a new event, and is answered with 304 until then', async () => {
  const holder = await parties.newHolder();
  const path = `/api/beos/${holder.id}/feed`;
  const etags = new Set<string>();
  for (const headers of [{}, JSON_FEED, { 'accept-language': 'pt' }]) {
    const { headers: got } = await service.get(path, headers);
    const etag = got.get('etag') ?? '';
    etags.add(etag);
    const again = await service.get(path, { ...headers, 'if-none-match': etag });
    expect([again.status, again.body, again.headers.get('vary')]).toEqual([304, '', 'Accept, Accept-Language']);
  }
  expect(etags.size).toBe(3);
  await parties.beo(holder, 'lock', 'lockBEO');
  const { status } = await service.get(path, { 'if-none-match': [...etags].join(', ') });
  expect(status).toBe(200);
  expect((await atom(path, { 'accept-language': 'pt-BR' })).text).toContain('xml:lang="pt-BR"');
});

test('a destroyed identity keeps its events on the ledger, without its name and its consents', async () => {
  const holder = await parties.newHolder();
  const clinic = await parties.newInstitution();
  await parties.granted(holder, clinic.id);
  await parties.beo(holder, 'destroy', 'destroyBEO');
  const { text } = await atom(`/api/beos/${holder.id}/feed`);
  expect(text).not.toContain(holder.domain);
  expect(text).not.toContain(clinic.domain);
  expect(await titlesOf(`/api/beos/${holder.id}/feed`)).toEqual(['Identity destroyed', 'Identity created']);
});

test('an unknown identity or institution has no feed', async () => {
  const holder = await parties.newHolder();
  expectRefusal(await service.get('/api/beos/nobody.bsp/feed'), 'BEO_NOT_FOUND');
  expectRefusal(await service.get(`/api/ieos/${holder.id}/feed`), 'IEO_NOT_FOUND');
  expectRefusal(await service.get('/api/beos/%3Ctitle%3E/feed'), 'VALIDATION_FAILED');
});

test('text that could end an element, or that XML cannot carry, stays text', () => {
  const hostile = `</title><script>alert('1')</script>&amp;]]><!-- "\u0000\u0008\ud800\uffff`;
  const entry = {
    id: 'urn:a',
    title: hostile,
    pageUrl: `https://a.example/?a=1&b="'<`,
    at: READ_AT,
    function: hostile,
  };
  const feed = {
    id: 'urn:b',
    title: hostile,
    language: 'en' as const,
    updatedAt: READ_AT,
    pageUrl: 'https://a.example/',
    url: 'https://a.example/feed',
    nextUrl: 'https://a.example/feed?a=1&b=2',
    entries: [entry],
  };
  const text = asAtom(feed);
  expect(XMLValidator.validate(text)).toBe(true);
  expect(text).not.toMatch(/<script|<!--|\p{Cs}/u);
  for (const unsupported of ['\0', '\b', '\uffff']) expect(text).not.toContain(unsupported);
  const read = parseAtomFeed(text);
  expect(JSON.stringify(read.entries?.[0]?.title)).toContain('</title><script>alert(');
  expect(read.entries?.[0]?.links?.[0]?.href).toBe(entry.pageUrl);
  expect(read.links?.find(({ rel }) => rel === 'next')?.href).toBe(feed.nextUrl);
  expect(asJsonFeed(feed).items[0]?.title).toBe(hostile);
});

const READ_AT = '2026-11-27T10:00:00.000Z';
