import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consentRequestText, readConsentRequest } from '../../../protocol/consent-request.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from '../../write/test-parties.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + shift + days * DAY).toISOString();
const SCOPE = { intents: ['READ_RECORDS'], categories: ['BSP-HM', 'BSP-CV'] };

/** What an institution signs. */
const asking = (clinic: Party, more: Fields = {}, signer = clinic) =>
  parties.sign(signer.person, 'askConsent', {
    ieoId: clinic.id,
    scope: SCOPE,
    expiresInDays: 30,
    purpose: 'To prepare your appointment.',
    reference: 'A-1234',
    validUntil: inDays(7),
    once: true,
    ledgerId: service.service.context.ledgerId,
    ...more,
  });
const textOf = ({ signature, ...message }: ReturnType<typeof asking>) =>
  consentRequestText({ function: 'askConsent', ...message }, String(signature));
const ask = (clinic: Party, more?: Fields, signer?: Party) => textOf(asking(clinic, more, signer));
const idOf = (text: string) => readConsentRequest(text)?.id ?? expect.fail('It is not a request.');

async function grant(holder: Party, clinic: Party, request: string | null, more: Fields = {}) {
  const fields = { beoId: holder.id, ieoId: clinic.id, scope: SCOPE, expiresInDays: 30, ...more };
  const { status, body } = await service.post('/api/relayer/consent', {
    ...parties.sign(holder.person, 'grantConsent', fields),
    request,
  });
  return status === 201 ? (body.token.token_id as string) : (body.code as string);
}

async function eventsOf(clinic: Party) {
  const body = parties.sign(clinic.person, 'readEvents', { ieoId: clinic.id });
  const headers = { 'x-signature': body.signature, 'x-nonce': body.nonce, 'x-timestamp': body.timestamp } as Record<
    string,
    string
  >;
  const answer = await service.get(`/api/events?ieoId=${clinic.id}`, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.events.map(({ type, data }: { type: string; data: Fields }) => [
    type,
    data.token_id,
    data.reference,
  ]);
}
const stateOf = async (id: string) => (await service.get(`/api/consent/requests/${id}`)).body;

describe('a consent that is granted on a request', () => {
  test('carries the reference in its event, until the identity is destroyed', async () => {
    const [clinic, holder] = [await parties.newInstitution(), await parties.newHolder()];
    const token = await grant(holder, clinic, ask(clinic, { once: holder.domain }));
    const other = await grant(holder, clinic, null, { scope: { ...SCOPE, categories: ['BSP-HM'] } });
    expect(await eventsOf(clinic)).toEqual([
      ['consent.granted', token, 'A-1234'],
      ['consent.granted', other, undefined],
    ]);
    const stored = await service.service.context.pool.query('SELECT ciphertext FROM vault_rows WHERE id = $1', [
      `asked:${token}`,
    ]);
    expect(String(stored.rows[0]?.ciphertext)).not.toContain('A-1234');
    await parties.beo(holder, 'destroy', 'destroyBEO');
    expect((await eventsOf(clinic))[0]).toEqual(['consent.granted', token, undefined]);
  });

  test('narrows it, and widens nothing', async () => {
    const [clinic, holder] = [await parties.newInstitution(), await parties.newHolder()];
    const request = ask(clinic, { once: false });
    for (const wider of [
      { scope: { ...SCOPE, intents: ['READ_RECORDS', 'EXPORT_DATA'] } },
      { scope: { ...SCOPE, categories: ['*'] } },
      { expiresInDays: 31 },
      { expiresInDays: null },
    ])
      expect(await grant(holder, clinic, request, wider)).toBe('VALIDATION_FAILED');
    expect(
      await grant(holder, clinic, request, { scope: { ...SCOPE, categories: ['BSP-CV'] }, expiresInDays: 1 }),
    ).toMatch(/^tok_/);
  });

  test('is refused unless the request is that of the institution to this person, signed with its current key, and has not ended', async () => {
    const [clinic, lab] = [await parties.newInstitution(), await parties.newInstitution()];
    const [holder, other] = [await parties.newHolder(), await parties.newHolder()];
    const good = ask(clinic);
    const altered = `${good.slice(0, -4)}${good.slice(-4) === 'AAAA' ? 'BBBB' : 'AAAA'}`;
    for (const request of [
      '',
      'x'.repeat(100_000),
      altered,
      ask(lab),
      ask(clinic, {}, lab),
      ask(clinic, { once: other.domain }),
      ask(clinic, { ledgerId: 'a'.repeat(64) }),
      good.replace(/\..*/, '.'),
    ])
      expect(await grant(holder, clinic, request), request.slice(0, 40)).toBe('VALIDATION_FAILED');
    const short = ask(clinic, { validUntil: inDays(1) });
    shift += DAY + 1_000;
    expect(await grant(holder, clinic, short)).toBe('LINK_EXPIRED');
    expect(await grant(holder, clinic, good)).toMatch(/^tok_/);
  });

  test('spends a request for one person, of several at once exactly one', async () => {
    const clinic = await parties.newInstitution();
    const request = ask(clinic);
    expect(await stateOf(idOf(request))).toEqual({ request_id: idOf(request), request: null, used: false });
    const holders = await Promise.all(Array.from({ length: 8 }, () => parties.newHolder()));
    const outcomes = await Promise.all(holders.map((holder) => grant(holder, clinic, request)));
    expect(outcomes.filter((outcome) => outcome.startsWith('tok_'))).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'LINK_USED')).toHaveLength(7);
    expect(await stateOf(idOf(request))).toMatchObject({ used: true });
    shift += 6 * DAY;
    await expect.poll(async () => grant(await parties.newHolder(), clinic, request)).toBe('LINK_USED');
  });

  test('leaves a request for many as it is', async () => {
    const clinic = await parties.newInstitution();
    const request = ask(clinic, { once: false });
    for (let person = 0; person < 2; person++)
      expect(await grant(await parties.newHolder(), clinic, request)).toMatch(/^tok_/);
    expect(await stateOf(idOf(request))).toMatchObject({ used: false });
  });
});

describe('a request that is too long for a QR code', () => {
  const keep = async (body: Fields) => {
    const answer = await service.post('/api/consent/requests', body);
    return answer.status === 200 ? answer.body : answer.body.code;
  };
  const keptRows = async ({ id }: Party) =>
    (await service.service.context.pool.query('SELECT FROM consent_requests WHERE ieo_id = $1', [id])).rows.length;

  test('is kept as it was signed, under the digest of its message, until it ends', async () => {
    const clinic = await parties.newInstitution();
    const body = asking(clinic, { purpose: 'x'.repeat(500) });
    const id = idOf(textOf(body));
    expect(await keep(body)).toEqual({ request_id: id, valid_until: body.validUntil });
    expect(await stateOf(id)).toEqual({ request_id: id, request: textOf(body), used: false });
    shift += 8 * DAY;
    expect(await stateOf(id)).toMatchObject({ request: null });
    await expect.poll(() => keptRows(clinic)).toBe(0);
  });

  test('is kept only for an active institution whose key signed it, and ends with the institution', async () => {
    const [clinic, lab] = [await parties.newInstitution(), await parties.newInstitution()];
    expect(await keep(asking(clinic, {}, lab))).toBe('INVALID_SIGNATURE');
    for (const more of [
      { validUntil: inDays(91) },
      { validUntil: inDays(-1) },
      { purpose: 'x'.repeat(501) },
      { purpose: 'a\u202eb' },
    ])
      expect(await keep(asking(clinic, more)), JSON.stringify(more)).toBe('VALIDATION_FAILED');
    const body = asking(clinic);
    expect(await keep(body)).toMatchObject({ request_id: idOf(textOf(body)) });
    expect(await keep(body)).toBe('NONCE_REUSED');
    await parties.ieo(clinic, 'lock', 'lockIEO');
    expect(await keep(asking(clinic))).toBe('IEO_LOCKED');
    await parties.ieo(clinic, 'destroy', 'destroyIEO');
    expect(await keptRows(clinic)).toBe(0);
  });

  test('is refused when those of all uncertified institutions are too many, until some end', async () => {
    const [clinic, other] = [await parties.newInstitution(), await parties.newInstitution()];
    await service.service.context.pool.query(
      "INSERT INTO consent_requests SELECT n::text, $1, $2, '' FROM generate_series(1, 50000) AS n",
      [other.id, inDays(1)],
    );
    expect(await keep(asking(clinic))).toBe('STORAGE_LIMIT_REACHED');
    shift += 2 * DAY;
    await expect.poll(() => keptRows(other)).toBe(0);
    const body = asking(clinic);
    expect(await keep(body)).toMatchObject({ request_id: idOf(textOf(body)) });
  });
});
