import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  consentRequestLink,
  consentRequestText,
  isAskedOf,
  isConsentRequestId,
  isWithin,
  readConsentRequest,
} from './consent-request.ts';
import type { Scope } from './entities/token.ts';
import { isRefusal } from './errors.ts';
import type { LedgerId } from './ids.ts';
import { ASK_CONSENT } from './signing/consent-requests.ts';
import { type JsonObject, readSignedRequest } from './signing/message.ts';
import vectors from './vectors/consent-requests.json' with { type: 'json' };

const rules = { suffix: 'bsp', ledgerId: vectors.ledgerId as LedgerId, ledgerIdRequired: true };
const cases = <Case extends { name: string }>(list: readonly Case[]) => list.map((one) => [one.name, one] as const);

/** The problem that the service finds in the same message, sent as a signed request. */
function refusedByService(canonical: string, signature: string): string | null {
  try {
    const { function: _, ...body } = JSON.parse(canonical);
    readSignedRequest(ASK_CONSENT, { ...body, signature }, rules);
    return null;
  } catch (error) {
    return isRefusal(error) ? error.code : expect.fail(String(error));
  }
}

describe('a request of valid form is read', () => {
  test.each(cases(vectors.valid))('%s', (_, { canonical, signature = null, publicKey, text, id }) => {
    const read = readConsentRequest(text) ?? expect.fail('It was not read.');
    expect(read).toMatchObject({ message: JSON.parse(canonical), id, signature, text });
    expect(consentRequestText(read.message, read.signature)).toBe(text);
    expect(isConsentRequestId(id) && !isConsentRequestId(text)).toBe(true);
    if (signature === null || publicKey === undefined) return;
    const key = createPublicKey({
      key: Buffer.from(`302a300506032b6570032100${publicKey}`, 'hex'),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, Buffer.from(canonical), key, Buffer.from(signature, 'base64'))).toBe(true);
    expect(refusedByService(canonical, signature)).toBe(null);
  });
});

describe('a request of another form is not read', () => {
  test.each(cases(vectors.invalid))('%s', (_, { text }) => expect(readConsentRequest(text)).toBe(null));
});

/** Rules of the form alone: the service checks the others against its clock, the route and the bytes. */
const FIELDS = /category|categories|intent|period|purpose|reference|days?$|\bonce\b|institution|scope/;
describe('the service refuses what the page does not read', () => {
  const signed = vectors.invalid.filter(({ name, canonical }) => canonical !== undefined && FIELDS.test(name));
  test.each(cases(signed.filter(({ name }) => !/more than 90/.test(name))))('%s', (_, { canonical = '' }) => {
    expect(refusedByService(canonical, `${'A'.repeat(86)}==`)).toMatch(/^(VALIDATION_FAILED|\w+_REQUIRED)$/);
  });
});

test('a text of 100,000 characters is not read', () => {
  expect(readConsentRequest('A'.repeat(100_000))).toBe(null);
  expect(readConsentRequest(`${'A'.repeat(99_913)}.${'A'.repeat(86)}`)).toBe(null);
});

test('a link carries a request that a QR code holds, and names the id of a longer one', () => {
  const url = 'https://perpetua.example';
  const short = readConsentRequest(vectors.valid[0]?.text ?? '') ?? expect.fail();
  expect(consentRequestLink(url, short)).toEqual({ link: `${url}/ask#${short.text}`, mustBeKept: false });
  const message: JsonObject = { ...short.message, purpose: 'x'.repeat(500) };
  const long = readConsentRequest(consentRequestText(message, short.signature)) ?? expect.fail();
  expect(consentRequestLink(url, long)).toEqual({ link: `${url}/ask#${long.id}`, mustBeKept: true });
});

test('a request for one person is for that person only, named in any form', () => {
  const maria = { id: 'b209672e-6012-5477-8a07-5d8898ce6020', domain: 'maria.bsp', transactionId: 'x'.repeat(43) };
  for (const once of [true, false, 'Maria.bsp', maria.id.toUpperCase(), maria.transactionId])
    expect(isAskedOf({ once }, maria), String(once)).toBe(true);
  for (const once of ['rnaria.bsp', 'maria.bsp.bsp', 'X'.repeat(43)])
    expect(isAskedOf({ once }, maria), once).toBe(false);
});

describe('of a request and a consent', () => {
  const asked: Scope = {
    intents: ['READ_RECORDS', 'EXPORT_DATA'],
    categories: ['BSP-HM', 'BSP-CV'],
    levels: ['CORE', 'STANDARD'],
    period: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
    max_records: 10,
  };
  const open: Scope = { ...asked, categories: ['*'], levels: [], period: null, max_records: null };
  const within = (scope: Partial<Scope>, days: number | null = 30, of = asked, most: number | null = 30) =>
    isWithin({ scope: of, expiresInDays: most }, { ...asked, ...scope }, days);

  test('a consent that equals or narrows a request is within it', () => {
    expect(within({})).toBe(true);
    expect(within({ intents: ['READ_RECORDS'], categories: ['BSP-CV'], levels: ['CORE'], max_records: 1 }, 1)).toBe(
      true,
    );
    expect(within({ period: { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' } })).toBe(true);
    expect(within({}, 7, open, null)).toBe(true);
    expect(within(open, null, open, null)).toBe(true);
  });

  test.each<[string, Partial<Scope>, (number | null)?]>([
    ['another intent', { intents: ['SUBMIT_RECORD'] }],
    ['another category', { categories: ['BSP-GN'] }],
    ['all categories', { categories: ['*'] }],
    ['another level', { levels: ['DEVICE'] }],
    ['all levels', { levels: [] }],
    ['any date', { period: null }],
    ['an earlier date', { period: { from: '2025-12-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' } }],
    ['no last date', { period: { from: '2026-01-01T00:00:00.000Z', to: null } }],
    ['more records', { max_records: 11 }],
    ['any number of records', { max_records: null }],
    ['more days', {}, 31],
    ['no end', {}, null],
  ])('a consent with %s is not', (_, scope, days = 30) => expect(within(scope, days)).toBe(false));
});
