import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { derivedIds } from '../../protocol/ids.ts';
import { createClock } from '../clock.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { newPerson, startTestService, type TestService } from '../test-service.ts';
import { type Fields, type Parties, type Party, partiesOf, READING } from './test-parties.ts';
import { expectRefusal } from './test-refusal.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
let anna: Party;
let clinic: Party;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
  [anna, clinic] = await Promise.all([parties.newHolder(), parties.newInstitution()]);
});
afterAll(() => service.stop());

const DAY = 24 * 3_600_000;
const scopeOf = (intents: string[], categories: string[] = ['*']) => ({ intents, categories });
const keysOf = (body: object) => Object.keys(body).sort();
const history = async (reference: string, query = '') =>
  (await service.get(`/api/consent/history/${reference}${query}`)).body;
const seqOf = ({ body }: { body: { receipt: string } }) => openReceipt(body.receipt).entry.seq;

async function both() {
  return { holder: await parties.newHolder(), grantee: await parties.newInstitution() };
}

describe('a consent', () => {
  test('is answered with the token, its place in the ledger and a receipt', async () => {
    const { holder, grantee } = await both();
    const scope = {
      intents: ['SUBMIT_RECORD', 'READ_RECORDS'],
      categories: ['BSP-LA', 'BSP-DV'],
      levels: ['CORE'],
      period: { from: '2026-01-01T00:00:00+02:00', to: null },
      max_records: 50,
    };
    const sent = parties.grantBody(holder, grantee.domain.toUpperCase(), scope, 30);
    const { status, headers, body } = await service.post('/api/relayer/consent', sent);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(keysOf(body)).toEqual(['receipt', 'token', 'transactionId']);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    const { signature, ...signed } = sent;
    const message = { function: 'grantConsent', ...signed };
    const { entry } = openReceipt(body.receipt);
    expect(body.token).toEqual({
      token_id: derivedIds(service.service.context.ledgerId, signature).tokenId(),
      beo_id: holder.id,
      beo_domain: holder.domain,
      ieo_id: grantee.id,
      ieo_domain: grantee.domain,
      granted_at: entry.accepted_at,
      expires_at: new Date(Date.parse(entry.accepted_at) + 30 * DAY).toISOString(),
      scope: { ...scope, period: { from: '2025-12-31T22:00:00.000Z', to: null } },
      status: 'ACTIVE',
      revocable: true,
      revoked: false,
      revoked_at: null,
      owner_signature: signature,
      token_hash: createHash('sha256').update(canonicalJson(message)).digest('hex'),
      arweave_tx: body.transactionId,
      version: '1.0.0',
      ledger: { seq: entry.seq, status: 'ACCEPTED' },
    });
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: entry.seq,
      prev: entry.prev,
      accepted_at: entry.accepted_at,
      function: 'grantConsent',
      entity_id: body.token.token_id,
      signer: holder.person.publicKey,
      signature,
      message,
      assigned: { holder: holder.id, grantee: grantee.id },
    });
    const { token } = await parties.verdict(body.token.token_id);
    expect({ ...token, ledger: null }).toEqual({ ...body.token, ledger: null });
  });

  test('may be given and used by any name of the two', async () => {
    const { holder, grantee } = await both();
    const names = (party: Party) => [party.id, party.id.toUpperCase(), party.domain, party.transactionId];
    for (const [index, beoId] of names(holder).entries()) {
      const ieoId = names(grantee)[index] ?? '';
      const token = await parties.granted({ ...holder, id: beoId }, ieoId, { ...READING, max_records: index + 1 });
      expect(token).toMatchObject({ beo_id: holder.id, ieo_id: grantee.id, ieo_domain: grantee.domain });
    }
    expect((await history(holder.domain)).count).toBe(4);
  });

  test('shows how far its latest operation has reached on the network, the end of a party included', async () => {
    const [one, two] = [await both(), await both()];
    const tokens = [
      await parties.granted(one.holder, one.grantee.id),
      await parties.granted(two.holder, two.grantee.id),
    ];
    const ledgers = () =>
      Promise.all(tokens.map(async ({ token_id }) => (await parties.verdict(token_id)).token.ledger));
    const final = (seqs: number[]) => seqs.map((seq) => ({ seq, status: 'FINAL' }));
    const patience = { timeout: 20_000, interval: 100 };
    await expect.poll(ledgers, patience).toEqual(final(tokens.map(({ ledger }) => ledger.seq)));
    const ends = [
      seqOf(await parties.beo(one.holder, 'destroy', 'destroyBEO')),
      seqOf(await parties.ieo(two.grantee, 'destroy', 'destroyIEO')),
    ];
    for (const { status } of await ledgers()) expect(status).not.toBe('FINAL');
    await expect.poll(ledgers, patience).toEqual(final(ends));
  });

  test('has no limits but those that were signed', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id);
    expect(token.expires_at).toBe(null);
    expect(token.scope).toEqual({ ...READING, levels: [], period: null, max_records: null });
  });

  test('may be for a day or for a hundred years', async () => {
    const { holder, grantee } = await both();
    for (const days of [1, 36_500]) {
      const token = await parties.granted(holder, grantee.id, { ...READING, max_records: days }, days);
      expect(Date.parse(token.expires_at) - Date.parse(token.granted_at)).toBe(days * DAY);
    }
  });

  test('may be given to oneself, by id, domain and creating transaction', async () => {
    const holder = await parties.newHolder();
    const own = [holder.id, holder.id.toUpperCase(), holder.domain.toUpperCase(), holder.transactionId];
    for (const [index, ieoId] of own.entries()) {
      const token = await parties.granted(holder, ieoId, { ...READING, max_records: index + 1 });
      expect(token).toMatchObject({
        beo_id: holder.id,
        beo_domain: holder.domain,
        ieo_id: holder.id,
        ieo_domain: holder.domain,
      });
      expect(await parties.verdict(token.token_id, '?intent=READ_RECORDS')).toMatchObject({ valid: true });
    }
    const other = await parties.newHolder();
    for (const ieoId of [other.id, other.domain, other.transactionId]) {
      expectRefusal(await parties.grant(holder, ieoId), 'IEO_NOT_FOUND');
    }
  });

  test('is given once: the same scope, however it is written, is the same consent', async () => {
    const { holder, grantee } = await both();
    const scope = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['BSP-LA', 'BSP-DV'] };
    const { token_id } = await parties.granted(holder, grantee.id, scope, 30);
    for (const same of [
      scope,
      { intents: ['EXPORT_DATA', 'READ_RECORDS'], categories: ['BSP-DV', 'BSP-LA'] },
      { ...scope, levels: [], period: null, max_records: null },
      { ...scope, levels: null, period: { from: null } },
    ]) {
      const again = await parties.grant(holder, grantee.domain, same);
      expectRefusal(again, 'DUPLICATE_TOKEN');
      expect(again.body.details).toEqual({ token_id });
    }
    for (const other of [
      { ...scope, max_records: 1 },
      { ...scope, intents: ['READ_RECORDS'] },
      { ...scope, levels: ['CORE'] },
      { ...scope, period: { from: '2026-01-01T00:00:00Z' } },
    ]) {
      await parties.granted(holder, grantee.id, other);
    }
    await parties.granted(holder, (await parties.newInstitution()).id, scope);
    await parties.granted(await parties.newHolder(), grantee.id, scope);
    expect((await parties.revoke(holder, token_id)).status).toBe(200);
    expect((await parties.granted(holder, grantee.id, scope)).token_id).not.toBe(token_id);
  });
});

describe('an institution gets no more than its type may have:', () => {
  const to = async (ieoType: string, scope: Json, days: Json = null) =>
    parties.grant(anna, (await parties.newInstitution({ ieoType })).id, scope, days);

  test('a wearable never reads, and submits device data only', async () => {
    expectRefusal(await to('WEARABLE', READING), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const reading = scopeOf(['SUBMIT_RECORD', 'READ_RECORDS'], ['BSP-DV']);
    expectRefusal(await to('WEARABLE', reading), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const other = scopeOf(['SUBMIT_RECORD'], ['BSP-DV', 'BSP-LA']);
    expectRefusal(await to('WEARABLE', other), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const { body } = await to('WEARABLE', scopeOf(['SUBMIT_RECORD']));
    const id = body.token.token_id;
    expect(await parties.verdict(id, '?intent=SUBMIT_RECORD&category=BSP-DV')).toMatchObject({ valid: true });
    for (const query of ['?intent=SUBMIT_RECORD&category=BSP-LA', '?category=BSP-LA']) {
      expect(await parties.verdict(id, query)).toMatchObject({ valid: false, reason: 'CATEGORY_NOT_AUTHORIZED' });
    }
    expect(await parties.verdict(id, '?intent=READ_RECORDS')).toMatchObject({
      valid: false,
      reason: 'INTENT_NOT_AUTHORIZED',
    });
    expect((await to('WEARABLE', scopeOf(['SUBMIT_RECORD', 'SYNC_PROTOCOL'], ['BSP-DV']))).status).toBe(201);
  });

  test('a platform never submits', async () => {
    expectRefusal(await to('PLATFORM', scopeOf(['SUBMIT_RECORD'])), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const among = scopeOf(['READ_RECORDS', 'SUBMIT_RECORD'], ['BSP-DV']);
    expectRefusal(await to('PLATFORM', among, 1), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const rest = ['READ_RECORDS', 'EXPORT_DATA', 'ANALYZE_VITALITY', 'REQUEST_SCORE', 'SYNC_PROTOCOL'];
    expect((await to('PLATFORM', scopeOf(rest))).status).toBe(201);
  });

  test('an insurer’s consent has an end', async () => {
    expectRefusal(await to('INSURER', READING), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    expect((await to('INSURER', READING, 365)).status).toBe(201);
  });

  test('the others may have everything', async () => {
    const everything = scopeOf([
      'SUBMIT_RECORD',
      'READ_RECORDS',
      'EXPORT_DATA',
      'ANALYZE_VITALITY',
      'REQUEST_SCORE',
      'SYNC_PROTOCOL',
    ]);
    for (const type of ['LAB', 'HOSPITAL', 'PHYSICIAN', 'RESEARCH']) {
      expect((await to(type, everything)).status).toBe(201);
    }
    expect((await parties.grant(anna, anna.id, everything)).status).toBe(201);
  });
});

describe('nobody is given a consent', () => {
  test('who is locked, suspended, revoked or destroyed', async () => {
    const [locked, suspended, revoked, destroyed] = await Promise.all([
      parties.newInstitution(),
      parties.newInstitution(),
      parties.newInstitution(),
      parties.newInstitution(),
    ]);
    await parties.ieo(locked, 'lock', 'lockIEO');
    await parties.decide('suspendIEO', { ieoId: suspended.id, reason: 'Late.' });
    await parties.decide('revokeIEO', { ieoId: revoked.id, reason: 'Gone.' });
    await parties.ieo(destroyed, 'destroy', 'destroyIEO');
    expectRefusal(await parties.grant(anna, locked.id), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.grant(anna, suspended.id), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.grant(anna, revoked.id), 'IEO_NOT_ACTIVE');
    expectRefusal(await parties.grant(anna, destroyed.id), 'IEO_DESTROYED');
    await parties.ieo(locked, 'unlock', 'unlockIEO');
    await parties.granted(anna, locked.id);
  });

  test('by a holder who is locked, or is no more; but consents are withdrawn while locked', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id);
    for (const intent of ['EXPORT_DATA', 'REQUEST_SCORE', 'SYNC_PROTOCOL']) {
      await parties.granted(holder, grantee.id, scopeOf([intent]));
    }
    await parties.beo(holder, 'lock', 'lockBEO');
    expectRefusal(await parties.grant(holder, grantee.id, scopeOf(['SUBMIT_RECORD'])), 'BEO_LOCKED');
    expectRefusal(await parties.grant(holder, holder.id), 'BEO_LOCKED');
    expect((await parties.revoke(holder, token.token_id)).status).toBe(200);
    expect((await parties.revokeIntent(holder, 'EXPORT_DATA')).body.revoked_count).toBe(1);
    expect((await parties.revokeFrom(holder, grantee.id)).body.revoked_count).toBe(2);
    expect((await parties.beo(holder, 'revoke-all', 'revokeAllTokens')).body.revoked_count).toBe(0);
    await parties.beo(holder, 'destroy', 'destroyBEO');
    expectRefusal(await parties.grant(holder, grantee.id), 'BEO_DESTROYED');
    expectRefusal(await parties.grant({ ...holder, id: holder.domain }, grantee.id), 'BEO_NOT_FOUND');
    expectRefusal(await parties.beo(holder, 'revoke-all', 'revokeAllTokens'), 'BEO_DESTROYED');
  });
});

describe('a grant is refused', () => {
  const body = (changed: Fields) =>
    parties.sign(anna.person, 'grantConsent', {
      beoId: anna.id,
      ieoId: clinic.id,
      scope: scopeOf(['SYNC_PROTOCOL']),
      expiresInDays: null,
      ...changed,
    });
  const without = (name: string, changed: Fields = {}) => {
    const { [name]: _, ...rest } = body(changed);
    return rest;
  };
  const scoped = (scope: Json) => body({ scope });
  const good = scopeOf(['SYNC_PROTOCOL']);

  test.each<[ErrorCode, string, () => Fields]>([
    ['SCOPE_REQUIRED', 'no scope', () => without('scope')],
    ['SCOPE_REQUIRED', 'null as scope', () => scoped(null)],
    ['SCOPE_REQUIRED', 'no intents', () => scoped({ categories: ['*'] })],
    ['SCOPE_REQUIRED', 'an empty list of intents', () => scoped(scopeOf([]))],
    ['CATEGORIES_REQUIRED', 'no categories', () => scoped({ intents: ['READ_RECORDS'] })],
    ['CATEGORIES_REQUIRED', 'null as categories', () => scoped({ ...good, categories: null })],
    ['CATEGORIES_REQUIRED', 'an empty list of categories', () => scoped(scopeOf(['READ_RECORDS'], []))],
    ['VALIDATION_FAILED', 'a text as scope', () => scoped('everything')],
    ['VALIDATION_FAILED', 'an intent that does not exist', () => scoped(scopeOf(['WRITE_RECORDS']))],
    ['VALIDATION_FAILED', 'an intent in lower case', () => scoped(scopeOf(['read_records']))],
    ['VALIDATION_FAILED', 'an intent twice', () => scoped(scopeOf(['READ_RECORDS', 'READ_RECORDS']))],
    ['VALIDATION_FAILED', 'a category that does not exist', () => scoped(scopeOf(['READ_RECORDS'], ['BSP-ZZ']))],
    ['VALIDATION_FAILED', 'a category twice', () => scoped(scopeOf(['READ_RECORDS'], ['BSP-LA', 'BSP-LA']))],
    ['VALIDATION_FAILED', 'a category beside all', () => scoped(scopeOf(['READ_RECORDS'], ['*', 'BSP-LA']))],
    ['VALIDATION_FAILED', 'a level that does not exist', () => scoped({ ...good, levels: ['BASIC'] })],
    ['VALIDATION_FAILED', 'a day without a time', () => scoped({ ...good, period: { from: '2026-01-01' } })],
    [
      'VALIDATION_FAILED',
      'a period that ends before it begins',
      () => scoped({ ...good, period: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }),
    ],
    [
      'VALIDATION_FAILED',
      'a period from before the year 0',
      () => scoped({ ...good, period: { from: '0000-01-01T00:00:00+23:59' } }),
    ],
    ['VALIDATION_FAILED', 'a member of a period nobody knows', () => scoped({ ...good, period: { until: null } })],
    ['VALIDATION_FAILED', 'no records at all', () => scoped({ ...good, max_records: 0 })],
    ['VALIDATION_FAILED', 'half a record', () => scoped({ ...good, max_records: 0.5 })],
    ['VALIDATION_FAILED', 'a member of a scope nobody knows', () => scoped({ ...good, purpose: 'care' })],
    ['VALIDATION_FAILED', 'expiresInDays left out', () => without('expiresInDays')],
    ['VALIDATION_FAILED', 'no day', () => body({ expiresInDays: 0 })],
    ['VALIDATION_FAILED', '36 501 days', () => body({ expiresInDays: 36_501 })],
    ['VALIDATION_FAILED', 'half a day', () => body({ expiresInDays: 0.5 })],
    ['VALIDATION_FAILED', 'days as a text', () => body({ expiresInDays: '30' })],
    ['VALIDATION_FAILED', 'nobody it is for', () => without('ieoId')],
    ['VALIDATION_FAILED', 'an id that is no id', () => body({ ieoId: 'clinic' })],
    ['VALIDATION_FAILED', 'a field nobody knows', () => body({ note: 'for the operation' })],
    ['NONCE_REQUIRED', 'no nonce', () => without('nonce')],
    ['TIMESTAMP_INVALID', 'no timestamp', () => without('timestamp')],
    ['SIGNATURE_MISSING', 'no signature', () => without('signature')],
    ['BEO_NOT_FOUND', 'a holder nobody knows', () => body({ beoId: randomUUID() })],
    ['IEO_NOT_FOUND', 'an institution nobody knows', () => body({ ieoId: randomUUID() })],
    [
      'INVALID_SIGNATURE',
      'the institution’s signature',
      () => parties.grantBody({ ...anna, person: clinic.person }, clinic.id),
    ],
    ['INVALID_SIGNATURE', 'another scope than was signed', () => ({ ...body({}), scope: READING })],
    ['INVALID_SIGNATURE', 'another end than was signed', () => ({ ...body({}), expiresInDays: 1 })],
    [
      'INVALID_SIGNATURE',
      'another name of the same institution than was signed',
      () => ({ ...body({}), ieoId: clinic.domain }),
    ],
  ])('with %s for %s', async (code, _, request) => {
    const answer = await service.post('/api/relayer/consent', request());
    expectRefusal(answer, code);
    if (code === 'INVALID_SIGNATURE') expect(answer.body.details).toEqual({ expected_key: 'BEO' });
  });

  test('when it is sent twice, or too late', async () => {
    const { holder, grantee } = await both();
    const sent = parties.grantBody(holder, grantee.id);
    const { body: first } = await service.post('/api/relayer/consent', sent);
    const again = await service.post('/api/relayer/consent', sent);
    expectRefusal(again, 'NONCE_REUSED');
    expect(again.body.details).toEqual({ transactionId: first.transactionId });
    const fields = { beoId: holder.id, ieoId: holder.id, scope: READING, expiresInDays: null };
    const at = (seconds: number) => ({ timestamp: new Date(Date.now() + shift + seconds * 1000).toISOString() });
    const late = holder.person.sign('grantConsent', fields, at(-310));
    expectRefusal(await service.post('/api/relayer/consent', late), 'TIMESTAMP_TOO_OLD');
    const early = holder.person.sign('grantConsent', fields, at(40));
    expectRefusal(await service.post('/api/relayer/consent', early), 'TIMESTAMP_IN_FUTURE');
  });
});

describe('whoever is shown a token', () => {
  test('is told what it is worth: the first reason in the order of the protocol', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id, scopeOf(['READ_RECORDS'], ['BSP-LA']), 1);
    const wrong = '?intent=EXPORT_DATA&category=BSP-DV';
    const reason = async (query = wrong) => {
      const { valid, reason: told, token: shown } = await parties.verdict(token.token_id, query);
      expect(valid).toBe(told === undefined);
      expect(shown.token_id).toBe(token.token_id);
      return told ?? null;
    };
    expect(await parties.verdict(`tok_${randomUUID()}`, wrong)).toEqual({ valid: false, reason: 'TOKEN_NOT_FOUND' });
    for (const query of ['', '?intent=READ_RECORDS', '?category=BSP-LA', '?intent=READ_RECORDS&category=BSP-LA']) {
      expect(await reason(query)).toBe(null);
    }
    expect(await reason('?intent=READ_RECORDS&category=BSP-DV')).toBe('CATEGORY_NOT_AUTHORIZED');
    expect(await reason('?category=BSP-DV')).toBe('CATEGORY_NOT_AUTHORIZED');
    expect(await reason()).toBe('INTENT_NOT_AUTHORIZED');
    await parties.ieo(grantee, 'lock', 'lockIEO');
    expect(await reason()).toBe('IEO_NOT_ACTIVE');
    await parties.beo(holder, 'lock', 'lockBEO');
    expect(await reason()).toBe('BEO_NOT_ACTIVE');
    shift += DAY;
    expect(await reason()).toBe('TOKEN_EXPIRED');
    await parties.revoke(holder, token.token_id);
    expect(await reason()).toBe('TOKEN_REVOKED');
  });

  test('sees it end with its time, to the millisecond, and can then be given a new one', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id, READING, 2);
    const { clock } = service.service.context;
    shift += 2 * DAY - 60_000;
    expect(await parties.verdict(token.token_id)).toMatchObject({ valid: true, token: { status: 'ACTIVE' } });
    shift += Date.parse(token.expires_at) - clock.now();
    const { valid, reason, token: shown } = await parties.verdict(token.token_id);
    expect([valid, reason]).toEqual([false, 'TOKEN_EXPIRED']);
    expect({ ...shown, ledger: null }).toEqual({ ...token, status: 'EXPIRED', ledger: null });
    const next = await parties.granted(holder, grantee.id, READING, 2);
    expect((await history(holder.id)).tokens.map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'EXPIRED',
    ]);
    expect((await parties.beo(holder, 'revoke-all', 'revokeAllTokens')).body.revoked_count).toBe(1);
    expect((await parties.verdict(token.token_id)).reason).toBe('TOKEN_EXPIRED');
    expect((await parties.verdict(next.token_id)).reason).toBe('TOKEN_REVOKED');
    expect((await parties.revoke(holder, token.token_id)).status).toBe(200);
    expect((await parties.verdict(token.token_id)).token).toMatchObject({ status: 'REVOKED', revoked: true });
  });

  test('sees it rest while the institution is suspended, and be good again when it is reinstated', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id);
    await parties.decide('suspendIEO', { ieoId: grantee.id, reason: 'Late.' });
    expect(await parties.verdict(token.token_id)).toMatchObject({
      valid: false,
      reason: 'IEO_NOT_ACTIVE',
      token: { status: 'ACTIVE', revoked: false, revoked_at: null },
    });
    await parties.decide('reinstateIEO', { ieoId: grantee.id });
    expect(await parties.verdict(token.token_id, '?intent=READ_RECORDS')).toMatchObject({ valid: true });
    await parties.decide('suspendIEO', { ieoId: grantee.id, reason: 'Late again.' });
    expect((await parties.revokeFrom(holder, grantee.domain)).body.revoked_count).toBe(1);
    await parties.decide('reinstateIEO', { ieoId: grantee.id });
    expect((await parties.verdict(token.token_id)).reason).toBe('TOKEN_REVOKED');
  });

  test('sees it rest while the holder is locked, a self token too', async () => {
    const { holder, grantee } = await both();
    const tokens = [await parties.granted(holder, grantee.id), await parties.granted(holder, holder.id)];
    const reasons = () => Promise.all(tokens.map(async ({ token_id }) => (await parties.verdict(token_id)).reason));
    await parties.beo(holder, 'lock', 'lockBEO');
    expect(await reasons()).toEqual(['BEO_NOT_ACTIVE', 'BEO_NOT_ACTIVE']);
    await parties.beo(holder, 'unlock', 'unlockBEO');
    expect(await reasons()).toEqual([undefined, undefined]);
  });

  test('may ask of any category where the token covers all, and of every intent it has', async () => {
    const { holder, grantee } = await both();
    const token = await parties.granted(holder, grantee.id, scopeOf(['SUBMIT_RECORD', 'EXPORT_DATA']));
    for (const intent of ['SUBMIT_RECORD', 'EXPORT_DATA']) {
      for (const category of ['BSP-LA', 'BSP-DV']) {
        expect(await parties.verdict(token.token_id, `?intent=${intent}&category=${category}`)).toMatchObject({
          valid: true,
        });
      }
    }
  });
});

describe('the history of a holder', () => {
  test('shows those that were given in one moment in the order of the ledger', async () => {
    const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
    const scopes = Array.from({ length: 40 }, (_, index) => ({ ...READING, max_records: index + 1 }));
    await Promise.all(scopes.map((scope) => parties.granted(holder, clinic.id, scope)));
    const { body } = await service.get(`/api/consent/history/${holder.id}?limit=200`);
    const places = body.tokens.map(({ ledger }: { ledger: { seq: number } }) => ledger.seq);
    expect(places).toHaveLength(40);
    expect(places).toEqual(places.toSorted((one: number, other: number) => other - one));
  });

  test('shows all consents, the newest first, by pages without loss or repetition while others are given', async () => {
    const { holder, grantee } = await both();
    expect(await history(holder.domain)).toEqual({ tokens: [], count: 0, next_cursor: null });
    const given: string[] = [];
    const give = async () => {
      const { token_id } = await parties.granted(holder, grantee.id, { ...READING, max_records: given.length + 1 });
      given.unshift(token_id);
    };
    for (let index = 0; index < 11; index++) await give();
    const before = [...given];
    await parties.granted(await parties.newHolder(), grantee.id);
    await parties.revoke(holder, given[3] ?? '');

    const whole = await history(holder.domain.toUpperCase());
    expect(Object.keys(whole)).toEqual(['tokens', 'count', 'next_cursor']);
    expect([whole.count, whole.next_cursor]).toEqual([11, null]);
    expect(whole.tokens.map(({ token_id }: { token_id: string }) => token_id)).toEqual(before);
    expect(whole.tokens[3]).toMatchObject({ status: 'REVOKED', revoked: true });

    for (const limit of [1, 4, 11]) {
      const known = [...given];
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await history(holder.id, `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
        expect(page.count).toBe(given.length);
        seen.push(...page.tokens.map(({ token_id }: { token_id: string }) => token_id));
        cursor = page.next_cursor;
        if (limit === 4) await give();
      } while (cursor !== null);
      expect(seen).toEqual(known);
    }
  });

  test('is not paged through with the cursor of somebody else’s', async () => {
    const [one, two] = [await both(), await both()];
    for (const { holder, grantee } of [one, two]) {
      for (const records of [1, 2]) await parties.granted(holder, grantee.id, { ...READING, max_records: records });
    }
    const cursor = (await history(one.holder.id, '?limit=1')).next_cursor;
    const next = await history(one.holder.domain, `?limit=1&cursor=${cursor}`);
    expect([next.tokens.length, next.next_cursor]).toEqual([1, null]);
    for (const path of [
      `${two.holder.id}?limit=1&cursor=${cursor}`,
      `${one.holder.id}?limit=1&cursor=${cursor.slice(0, -2)}`,
      `${one.holder.id}?limit=1&cursor=${cursor}&cursor=${cursor}`,
      `${one.holder.id}?limit=0`,
      `${one.holder.id}?status=ACTIVE`,
    ]) {
      expectRefusal(await service.get(`/api/consent/history/${path}`), 'VALIDATION_FAILED');
    }
  });
});

describe('a holder withdraws', () => {
  /** Seven tokens: two institutions, oneself; three of them may export. */
  async function seven() {
    const [holder, one, two] = await Promise.all([
      parties.newHolder(),
      parties.newInstitution(),
      parties.newInstitution(),
    ]);
    const stranger = await parties.granted(await parties.newHolder(), one.id);
    const tokens: Record<string, string> = {};
    for (const [name, grantee, intents] of [
      ['one reads', one, ['READ_RECORDS']],
      ['one exports', one, ['EXPORT_DATA']],
      ['one reads and exports', one, ['READ_RECORDS', 'EXPORT_DATA']],
      ['two reads', two, ['READ_RECORDS']],
      ['two submits', two, ['SUBMIT_RECORD']],
      ['self reads', holder, ['READ_RECORDS']],
      ['self exports', holder, ['EXPORT_DATA']],
    ] as const) {
      tokens[name] = (await parties.granted(holder, grantee.id, scopeOf([...intents]))).token_id;
    }
    const live = async () => {
      expect((await parties.verdict(stranger.token_id)).valid).toBe(true);
      const valid = await Promise.all(Object.values(tokens).map(async (id) => (await parties.verdict(id)).valid));
      return Object.keys(tokens).filter((_, index) => valid[index]);
    };
    return { holder, one, two, tokens, live };
  }

  test('one consent, by its id or the transaction that granted it, once', async () => {
    const { holder, tokens, live } = await seven();
    const tokenId = tokens['one reads'] ?? '';
    const answer = await parties.revoke(holder, tokenId);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(keysOf(answer.body)).toEqual(['receipt', 'revoked_at', 'token_id', 'transactionId']);
    expect(answer.headers.get('location')).toBe(`/api/transactions/${answer.body.transactionId}`);
    const { entry } = openReceipt(answer.body.receipt);
    expect(entry).toMatchObject({
      function: 'revokeToken',
      entity_id: tokenId,
      signer: holder.person.publicKey,
      message: { function: 'revokeToken', tokenId },
    });
    const { revoked_at } = answer.body;
    expect(answer.body.token_id).toBe(tokenId);
    expect((await parties.verdict(tokenId)).token).toMatchObject({
      status: 'REVOKED',
      revoked: true,
      revoked_at,
      ledger: { seq: entry.seq },
    });
    const again = await parties.revoke(holder, tokenId);
    expectRefusal(again, 'TOKEN_ALREADY_REVOKED');
    expect(again.body.details).toEqual({ revoked_at });
    const { arweave_tx } = (await parties.verdict(tokens['two reads'] ?? '')).token;
    const byTransaction = await parties.revoke(holder, arweave_tx);
    expect([byTransaction.status, byTransaction.body.token_id]).toEqual([200, tokens['two reads']]);
    expect(await live()).toHaveLength(5);
  });

  test('all that one institution has, by any of its names; what it gave itself likewise', async () => {
    const { holder, one, two, live } = await seven();
    const answer = await parties.revokeFrom(holder, one.domain.toUpperCase());
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['receipt', 'revoked_count', 'transactionId']]);
    expect(answer.body.revoked_count).toBe(3);
    expect(openReceipt(answer.body.receipt).entry).toMatchObject({
      function: 'revokeAllFromIEO',
      entity_id: holder.id,
      message: { beoId: holder.id, ieoId: one.domain.toUpperCase() },
      assigned: { grantee: one.id },
    });
    expect((await parties.revokeFrom(holder, one.id)).body.revoked_count).toBe(0);
    expect(await live()).toEqual(['two reads', 'two submits', 'self reads', 'self exports']);
    expect((await parties.revokeFrom(holder, two.transactionId)).body.revoked_count).toBe(2);
    expect((await parties.revokeFrom(holder, holder.domain)).body.revoked_count).toBe(2);
    expect(await live()).toEqual([]);
  });

  test('all that allow one intent, whoever has them and whatever else they allow', async () => {
    const { holder, live } = await seven();
    const answer = await parties.revokeIntent(holder, 'EXPORT_DATA');
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['receipt', 'revoked_count', 'transactionId']]);
    expect(answer.body.revoked_count).toBe(3);
    expect(openReceipt(answer.body.receipt).entry).toMatchObject({
      function: 'revokeByIntent',
      entity_id: holder.id,
      message: { intent: 'EXPORT_DATA' },
    });
    expect(await live()).toEqual(['one reads', 'two reads', 'two submits', 'self reads']);
    expect((await parties.revokeIntent(holder, 'ANALYZE_VITALITY')).body.revoked_count).toBe(0);
  });

  test.each(['POST /api/relayer/beo/revoke-all', 'DELETE /api/consent/all'])('all, at once: %s', async (route) => {
    const { holder, tokens, live } = await seven();
    const [method, path] = route.split(' ') as [string, string];
    const revokeAll = () => {
      const body = parties.sign(holder.person, 'revokeAllTokens', { beoId: holder.domain });
      return method === 'POST' ? service.post(path, body) : parties.erase(path, body);
    };
    const answer = await revokeAll();
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['receipt', 'revoked_count', 'transactionId']]);
    expect(answer.body.revoked_count).toBe(7);
    expect(await live()).toEqual([]);
    const { entry } = openReceipt(answer.body.receipt);
    expect(entry).toMatchObject({ function: 'revokeAllTokens', entity_id: holder.id });
    const { tokens: told } = await history(holder.domain);
    expect(told).toHaveLength(Object.keys(tokens).length);
    for (const token of told) {
      expect(token).toMatchObject({ status: 'REVOKED', revoked_at: entry.accepted_at, ledger: { seq: entry.seq } });
    }
    expect((await revokeAll()).body.revoked_count).toBe(0);
    await parties.granted(holder, holder.id);
    expect((await revokeAll()).body.revoked_count).toBe(1);
  });

  test('what an institution had that is no more: nothing is left of it to withdraw', async () => {
    const { holder, one, tokens } = await seven();
    await parties.ieo(one, 'destroy', 'destroyIEO');
    for (const name of [one.id, one.domain, one.transactionId]) {
      expect((await parties.revokeFrom(holder, name)).body.revoked_count).toBe(0);
    }
    expectRefusal(await parties.revoke(holder, tokens['one reads'] ?? ''), 'TOKEN_ALREADY_REVOKED');
    expect((await parties.beo(holder, 'revoke-all', 'revokeAllTokens')).body.revoked_count).toBe(4);
  });
});

describe('nobody withdraws a consent but who gave it:', () => {
  let holder: Party;
  let tokenId: string;
  let transaction: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    const token = await parties.granted(holder, clinic.id);
    tokenId = token.token_id;
    transaction = token.arweave_tx;
  });

  const live = async () => expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });

  test('not another holder, who is told so where the hint names somebody else than the token', async () => {
    const plain = await parties.revoke(anna, tokenId);
    expectRefusal(plain, 'INVALID_SIGNATURE');
    expect(plain.body.details).toEqual({ expected_key: 'BEO' });
    for (const beoId of [anna.id, anna.domain, anna.transactionId, 'nobody.bsp', randomUUID(), clinic.id]) {
      expectRefusal(await parties.revoke(anna, tokenId, { beoId }), 'NOT_TOKEN_OWNER');
      expectRefusal(await parties.revoke(anna, transaction, { beoId }), 'NOT_TOKEN_OWNER');
    }
    expectRefusal(await parties.revoke(holder, tokenId, { beoId: anna.id }), 'NOT_TOKEN_OWNER');
    for (const beoId of [holder.id, holder.domain, holder.transactionId, null]) {
      expectRefusal(await parties.revoke(anna, tokenId, { beoId }), 'INVALID_SIGNATURE');
    }
    for (const beoId of ['me', 7, '']) {
      expectRefusal(await parties.revoke(holder, tokenId, { beoId }), 'VALIDATION_FAILED');
    }
    await live();
  });

  test('not the institution, in any way', async () => {
    const asClinic = { ...holder, person: clinic.person };
    expectRefusal(await parties.revoke(clinic, tokenId), 'INVALID_SIGNATURE');
    expectRefusal(await parties.revoke(clinic, tokenId, { beoId: clinic.id }), 'NOT_TOKEN_OWNER');
    expectRefusal(await parties.revoke(clinic, tokenId, { beoId: holder.id }), 'INVALID_SIGNATURE');
    for (const functionName of ['revokeToken', 'lockIEO', 'destroyIEO']) {
      const { tokenId: _, ...body } = parties.sign(clinic.person, functionName, { tokenId });
      expectRefusal(await parties.erase(`/api/consent/${tokenId}`, body), 'INVALID_SIGNATURE');
    }
    expectRefusal(await parties.revokeFrom(asClinic, clinic.id), 'INVALID_SIGNATURE');
    expectRefusal(await parties.revokeFrom(clinic, clinic.id), 'BEO_NOT_FOUND');
    expectRefusal(await parties.revokeIntent(asClinic, 'READ_RECORDS'), 'INVALID_SIGNATURE');
    expectRefusal(await parties.beo(asClinic, 'revoke-all', 'revokeAllTokens'), 'INVALID_SIGNATURE');
    expectRefusal(await parties.beo(clinic, 'revoke-all', 'revokeAllTokens'), 'BEO_NOT_FOUND');
    await live();
  });

  test('but the holder, who may say whose it is by any name', async () => {
    for (const beoId of [holder.id.toUpperCase(), holder.domain, holder.transactionId]) {
      const { token_id } = await parties.granted(holder, clinic.id, scopeOf(['EXPORT_DATA']));
      const answer = await parties.revoke(holder, token_id, { beoId });
      expect(answer.status).toBe(200);
      expect(openReceipt(answer.body.receipt).entry).not.toHaveProperty('message.beoId');
    }
    await live();
  });
});

describe('a withdrawal is refused', () => {
  let holder: Party;
  let tokenId: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    tokenId = (await parties.granted(holder, clinic.id)).token_id;
  });

  test('when the address and the body do not say the same; a repetition is fine', async () => {
    const sign = (name: string, fields: Fields) => parties.sign(holder.person, name, fields);
    const of = { beoId: holder.id };
    for (const [path, body, field] of [
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: `tok_${randomUUID()}` }), 'tokenId'],
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: tokenId.toUpperCase() }), 'tokenId'],
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: null }), 'tokenId'],
      [`/api/consent/ieo/${clinic.domain}`, sign('revokeAllFromIEO', { ...of, ieoId: clinic.id }), 'ieoId'],
      ['/api/consent/intent/EXPORT_DATA', sign('revokeByIntent', { ...of, intent: 'READ_RECORDS' }), 'intent'],
    ] as const) {
      const refused = await parties.erase(path, body);
      expectRefusal(refused, 'VALIDATION_FAILED');
      expect(refused.body.details.issues[0].path).toBe(field);
    }
    expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });
    const intent = 'EXPORT_DATA';
    const ieoId = clinic.domain;
    for (const [path, body] of [
      [`/api/consent/intent/${intent}`, sign('revokeByIntent', { ...of, intent })],
      [`/api/consent/ieo/${ieoId}`, sign('revokeAllFromIEO', { ...of, ieoId })],
    ] as const) {
      expect((await parties.erase(path, body)).status).toBe(200);
    }
    const { token_id } = await parties.granted(holder, clinic.id);
    expect((await parties.erase(`/api/consent/${token_id}`, sign('revokeToken', { tokenId: token_id }))).status).toBe(
      200,
    );
    tokenId = (await parties.granted(holder, clinic.id)).token_id;
  });

  test('when the signature does not cover what the address says', async () => {
    const { tokenId: _, ...other } = parties.sign(holder.person, 'revokeToken', { tokenId: `tok_${randomUUID()}` });
    expectRefusal(await parties.erase(`/api/consent/${tokenId}`, other), 'INVALID_SIGNATURE');
    const { intent: __, ...reading } = parties.sign(holder.person, 'revokeByIntent', {
      beoId: holder.id,
      intent: 'EXPORT_DATA',
    });
    expectRefusal(await parties.erase('/api/consent/intent/READ_RECORDS', reading), 'INVALID_SIGNATURE');
    const { ieoId: ___, ...byId } = parties.sign(holder.person, 'revokeAllFromIEO', {
      beoId: holder.id,
      ieoId: clinic.id,
    });
    expectRefusal(await parties.erase(`/api/consent/ieo/${clinic.domain}`, byId), 'INVALID_SIGNATURE');
  });

  test('without a body, or with one that is none', async () => {
    for (const path of [`/api/consent/${tokenId}`, '/api/consent/all', '/api/consent/intent/READ_RECORDS']) {
      expectRefusal(await service.request(path, { method: 'DELETE' }), 'INVALID_JSON');
      for (const body of [null, [], 'all', 7]) expectRefusal(await parties.erase(path, body), 'VALIDATION_FAILED');
      expectRefusal(await parties.erase(path, 'x'.repeat(256 * 1024)), 'BODY_TOO_LARGE');
      expectRefusal(await parties.erase(path, { beoId: 'a\0.bsp' }), 'VALIDATION_FAILED');
      const form = {
        method: 'DELETE',
        body: 'all=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      expectRefusal(await service.request(path, form), 'UNSUPPORTED_MEDIA_TYPE');
      expectRefusal(await parties.erase(path, {}), path.includes('tok_') ? 'NONCE_REQUIRED' : 'VALIDATION_FAILED');
    }
    const signed = parties.sign(holder.person, 'revokeToken', { tokenId });
    const query = new URLSearchParams(signed as Record<string, string>).toString();
    const asked = await parties.erase(`/api/consent/${tokenId}?${query}`, {});
    expectRefusal(asked, 'VALIDATION_FAILED');
    expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });
  });

  test('of what does not exist', async () => {
    expectRefusal(await parties.revoke(holder, `tok_${randomUUID()}`), 'TOKEN_NOT_FOUND');
    expectRefusal(await parties.revoke(holder, 'A'.repeat(43)), 'TOKEN_NOT_FOUND');
    expectRefusal(await parties.revoke(holder, 'tok_1'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revoke(holder, randomUUID()), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeFrom(holder, 'nobody.bsp'), 'IEO_NOT_FOUND');
    expectRefusal(await parties.revokeFrom(holder, anna.domain), 'IEO_NOT_FOUND');
    expectRefusal(await parties.revokeFrom(holder, 'clinic'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent(holder, 'WRITE_RECORDS'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent(holder, 'read_records'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent({ ...holder, id: randomUUID() }, 'READ_RECORDS'), 'BEO_NOT_FOUND');
  });

  test('that is a copy, or was signed too long ago', async () => {
    const body = parties.sign(holder.person, 'revokeToken', { tokenId });
    const first = await parties.erase(`/api/consent/${tokenId}`, body);
    expect(first.status).toBe(200);
    const again = await parties.erase(`/api/consent/${tokenId}`, body);
    expectRefusal(again, 'NONCE_REUSED');
    expect(again.body.details).toEqual({ transactionId: first.body.transactionId });
    const timestamp = new Date(Date.now() + shift - 310_000).toISOString();
    const late = newPerson().sign('revokeToken', { tokenId }, { timestamp });
    expectRefusal(await parties.erase(`/api/consent/${tokenId}`, late), 'TIMESTAMP_TOO_OLD');
  });
});

describe('every consent ends', () => {
  async function web() {
    const [holder, other] = await Promise.all([parties.newHolder(), parties.newHolder()]);
    const [grantee, elsewhere] = await Promise.all([parties.newInstitution(), parties.newInstitution()]);
    const ended = await parties.granted(holder, grantee.id, scopeOf(['SYNC_PROTOCOL']));
    const withdrawn = await parties.revoke(holder, ended.token_id);
    return {
      holder,
      other,
      grantee,
      ended: ended.token_id as string,
      endedAt: withdrawn.body.revoked_at as string,
      between: (await parties.granted(holder, grantee.id)).token_id as string,
      more: (await parties.granted(holder, grantee.id, scopeOf(['EXPORT_DATA']), 3)).token_id as string,
      own: (await parties.granted(holder, holder.id)).token_id as string,
      holdersElsewhere: (await parties.granted(holder, elsewhere.id)).token_id as string,
      others: (await parties.granted(other, grantee.id)).token_id as string,
    };
  }

  async function expectEnded(tokenId: string, at: { revoked_at: string; seq: number }, more: Fields) {
    const verdict = await parties.verdict(tokenId, '?intent=READ_RECORDS');
    expect(verdict).toMatchObject({ valid: false, reason: 'TOKEN_REVOKED' });
    expect(verdict.token).toMatchObject({
      status: 'REVOKED',
      revoked: true,
      revoked_at: at.revoked_at,
      ledger: { seq: at.seq },
      ...more,
    });
  }

  test('with its holder, and no longer says who that was', async () => {
    const { holder, grantee, ended, endedAt, between, more, own, holdersElsewhere, others } = await web();
    const answer = await parties.beo(holder, 'destroy', 'destroyBEO');
    const at = { revoked_at: answer.body.destroyed_at, seq: seqOf(answer) };
    const nobody = { beo_id: holder.id, beo_domain: null };
    for (const id of [between, more]) await expectEnded(id, at, { ...nobody, ieo_domain: grantee.domain });
    await expectEnded(own, at, { ...nobody, ieo_id: holder.id, ieo_domain: null });
    await expectEnded(holdersElsewhere, at, nobody);
    expect((await parties.verdict(ended)).token).toMatchObject({ revoked_at: endedAt, ...nobody });
    expect(await parties.verdict(others)).toMatchObject({ valid: true });
    expectRefusal(await service.get(`/api/consent/history/${holder.domain}`), 'BEO_NOT_FOUND');
    const told = await history(holder.id);
    expect(told.count).toBe(5);
    expect(JSON.stringify(told)).not.toContain(holder.domain);
    expectRefusal(await parties.revoke(holder, between), 'BEO_DESTROYED');
    shift += 4 * DAY;
    await expectEnded(more, at, nobody);
  });

  test('with its institution when that destroys itself', async () => {
    const { holder, other, grantee, ended, endedAt, between, more, own, holdersElsewhere, others } = await web();
    const answer = await parties.ieo(grantee, 'destroy', 'destroyIEO');
    const at = { revoked_at: answer.body.destroyed_at, seq: seqOf(answer) };
    for (const id of [between, more]) {
      await expectEnded(id, at, { beo_domain: holder.domain, ieo_id: grantee.id, ieo_domain: grantee.domain });
    }
    await expectEnded(others, at, { beo_domain: other.domain });
    expect((await parties.verdict(ended)).token).toMatchObject({ revoked_at: endedAt });
    for (const id of [own, holdersElsewhere]) expect(await parties.verdict(id)).toMatchObject({ valid: true });
  });

  test('with its institution when the institute revokes that, all at once', async () => {
    const { holder, other, grantee, ended, endedAt, between, more, own, holdersElsewhere, others } = await web();
    const answer = await parties.decide('revokeIEO', { ieoId: grantee.domain, reason: 'Sold what it read.' });
    const at = { revoked_at: answer.body.proposal.executed_at, seq: seqOf(answer) };
    for (const id of [between, more]) await expectEnded(id, at, { beo_domain: holder.domain });
    await expectEnded(others, at, { beo_domain: other.domain });
    expect((await parties.verdict(ended)).token).toMatchObject({ revoked_at: endedAt });
    for (const id of [own, holdersElsewhere]) expect(await parties.verdict(id)).toMatchObject({ valid: true });
    const { tokens } = await history(holder.domain);
    expect(tokens.map(({ status }: { status: string }) => status).sort()).toEqual([
      'ACTIVE',
      'ACTIVE',
      'REVOKED',
      'REVOKED',
      'REVOKED',
    ]);
    for (const answered of [await parties.revoke(holder, between), await parties.revoke(other, others)]) {
      expectRefusal(answered, 'TOKEN_ALREADY_REVOKED');
      expect(answered.body.details).toEqual({ revoked_at: at.revoked_at });
    }
  });
});

test('a failure nobody foresaw grants nothing, withdraws nothing and says nothing of itself', async () => {
  const { holder, grantee } = await both();
  const { token_id } = await parties.granted(holder, grantee.id);
  const { pool } = service.service.context;
  await pool.query('ALTER TABLE tokens RENAME TO tokens_elsewhere');
  const answers = [
    await parties.grant(holder, grantee.id, scopeOf(['EXPORT_DATA'])),
    await parties.revoke(holder, token_id),
    await parties.beo(holder, 'revoke-all', 'revokeAllTokens'),
    await service.get(`/api/consent/${token_id}`),
    await service.get(`/api/consent/history/${holder.id}`),
  ];
  await pool.query('ALTER TABLE tokens_elsewhere RENAME TO tokens');
  for (const answer of answers) {
    expectRefusal(answer, 'INTERNAL');
    expect(JSON.stringify(answer.body)).not.toContain('tokens');
  }
  expect((await history(holder.id)).tokens).toMatchObject([{ token_id, status: 'ACTIVE' }]);
});

test('it all leaves a chain behind in which everything has its place', async () => {
  expect((await wholeChain(service.service.context.pool)).length).toBeGreaterThan(150);
});
