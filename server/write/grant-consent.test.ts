import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INTENTS } from '../../protocol/entities/intents.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { derivedIds } from '../../protocol/ids.ts';
import { CATEGORIES } from '../../protocol/records/taxonomy.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf, READING } from './test-parties.ts';

let service: TestService;
let parties: Parties;
let anna: Party;
let clinic: Party;
beforeAll(async () => {
  service = await startTestService();
  parties = partiesOf(service);
  [anna, clinic] = await Promise.all([parties.newHolder(), parties.newInstitution()]);
});
afterAll(() => service.stop());

const DAY = 24 * 3_600_000;
const scopeOf = (intents: string[], categories: string[] = ['*']) => ({ intents, categories });
const keysOf = (body: object) => Object.keys(body).sort();
const history = async (reference: string, query = '') =>
  (await service.get(`/api/consent/history/${reference}${query}`)).body;
const seqOf = ({ body }: { body: { receipt: string } }) => openReceipt(body.receipt).entry.seq;

async function newParties() {
  return { holder: await parties.newHolder(), grantee: await parties.newInstitution() };
}

describe('a consent', () => {
  test('returns the token, the transaction and a receipt', async () => {
    const { holder, grantee } = await newParties();
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

  test('may be granted and verified with any reference to the parties', async () => {
    const { holder, grantee } = await newParties();
    const names = (party: Party) => [party.id, party.id.toUpperCase(), party.domain, party.transactionId];
    for (const [index, beoId] of names(holder).entries()) {
      const ieoId = names(grantee)[index] ?? '';
      const token = await parties.granted({ ...holder, id: beoId }, ieoId, { ...READING, max_records: index + 1 });
      expect(token).toMatchObject({ beo_id: holder.id, ieo_id: grantee.id, ieo_domain: grantee.domain });
    }
    expect((await history(holder.domain)).count).toBe(4);
  });

  test('shows the ledger status of its latest operation, including the destruction of a party', async () => {
    const [withHolder, withGrantee] = [await newParties(), await newParties()];
    const tokens = [
      await parties.granted(withHolder.holder, withHolder.grantee.id),
      await parties.granted(withGrantee.holder, withGrantee.grantee.id),
    ];
    const ledgers = () =>
      Promise.all(tokens.map(async ({ token_id }) => (await parties.verdict(token_id)).token.ledger));
    const final = (seqs: number[]) => seqs.map((seq) => ({ seq, status: 'FINAL' }));
    const interval = 100;
    await expect.poll(ledgers, { interval }).toEqual(final(tokens.map(({ ledger }) => ledger.seq)));
    const ends = [
      seqOf(await parties.beo(withHolder.holder, 'destroy', 'destroyBEO')),
      seqOf(await parties.ieo(withGrantee.grantee, 'destroy', 'destroyIEO')),
    ];
    for (const { status } of await ledgers()) expect(status).not.toBe('FINAL');
    await expect.poll(ledgers, { interval }).toEqual(final(ends));
  });

  test('has no limits by default', async () => {
    const { holder, grantee } = await newParties();
    const token = await parties.granted(holder, grantee.id);
    expect(token.expires_at).toBe(null);
    expect(token.scope).toEqual({ ...READING, levels: [], period: null, max_records: null });
  });

  test('may last from a day to a hundred years', async () => {
    const { holder, grantee } = await newParties();
    for (const days of [1, 36_500]) {
      const token = await parties.granted(holder, grantee.id, { ...READING, max_records: days }, days);
      expect(Date.parse(token.expires_at) - Date.parse(token.granted_at)).toBe(days * DAY);
    }
  });

  test('may be granted to oneself by id, domain and creating transaction', async () => {
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
    const stranger = await parties.newHolder();
    for (const ieoId of [stranger.id, stranger.domain, stranger.transactionId]) {
      expectRefusal(await parties.grant(holder, ieoId), 'IEO_NOT_FOUND');
    }
  });

  test('is granted once; equivalent scopes are the same consent', async () => {
    const { holder, grantee } = await newParties();
    const scope = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['BSP-LA', 'BSP-DV'] };
    const { token_id } = await parties.granted(holder, grantee.id, scope, 30);
    for (const equivalent of [
      scope,
      { intents: ['EXPORT_DATA', 'READ_RECORDS'], categories: ['BSP-DV', 'BSP-LA'] },
      { ...scope, levels: [], period: null, max_records: null },
      { ...scope, levels: null, period: { from: null } },
    ]) {
      const duplicate = await parties.grant(holder, grantee.domain, equivalent);
      expectRefusal(duplicate, 'DUPLICATE_TOKEN');
      expect(duplicate.body.details).toEqual({ token_id });
    }
    for (const different of [
      { ...scope, max_records: 1 },
      { ...scope, intents: ['READ_RECORDS'] },
      { ...scope, levels: ['CORE'] },
      { ...scope, period: { from: '2026-01-01T00:00:00Z' } },
    ]) {
      await parties.granted(holder, grantee.id, different);
    }
    await parties.granted(holder, (await parties.newInstitution()).id, scope);
    await parties.granted(await parties.newHolder(), grantee.id, scope);
    expect((await parties.revoke(holder, token_id)).status).toBe(200);
    expect((await parties.granted(holder, grantee.id, scope)).token_id).not.toBe(token_id);
  });
});

describe('the type of an institution limits its consents:', () => {
  const grantTo = async (ieoType: string, scope: Json, days: Json = null) =>
    parties.grant(anna, (await parties.newInstitution({ ieoType })).id, scope, days);

  test('a wearable may not read and submits only device data', async () => {
    expectRefusal(await grantTo('WEARABLE', READING), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const reading = scopeOf(['SUBMIT_RECORD', 'READ_RECORDS'], ['BSP-DV']);
    expectRefusal(await grantTo('WEARABLE', reading), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const submitting = scopeOf(['SUBMIT_RECORD'], ['BSP-DV', 'BSP-LA']);
    expectRefusal(await grantTo('WEARABLE', submitting), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const { body } = await grantTo('WEARABLE', scopeOf(['SUBMIT_RECORD']));
    const id = body.token.token_id;
    expect(await parties.verdict(id, '?intent=SUBMIT_RECORD&category=BSP-DV')).toMatchObject({ valid: true });
    for (const query of ['?intent=SUBMIT_RECORD&category=BSP-LA', '?category=BSP-LA']) {
      expect(await parties.verdict(id, query)).toMatchObject({ valid: false, reason: 'CATEGORY_NOT_AUTHORIZED' });
    }
    expect(await parties.verdict(id, '?intent=READ_RECORDS')).toMatchObject({
      valid: false,
      reason: 'INTENT_NOT_AUTHORIZED',
    });
    expect((await grantTo('WEARABLE', scopeOf(['SUBMIT_RECORD', 'SYNC_PROTOCOL'], ['BSP-DV']))).status).toBe(201);
  });

  test('a platform may not submit', async () => {
    expectRefusal(await grantTo('PLATFORM', scopeOf(['SUBMIT_RECORD'])), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const readAndSubmit = scopeOf(['READ_RECORDS', 'SUBMIT_RECORD'], ['BSP-DV']);
    expectRefusal(await grantTo('PLATFORM', readAndSubmit, 1), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    const otherIntents = ['READ_RECORDS', 'EXPORT_DATA', 'ANALYZE_VITALITY', 'REQUEST_SCORE', 'SYNC_PROTOCOL'];
    expect((await grantTo('PLATFORM', scopeOf(otherIntents))).status).toBe(201);
  });

  test('an insurer’s consent must expire', async () => {
    expectRefusal(await grantTo('INSURER', READING), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    expect((await grantTo('INSURER', READING, 365)).status).toBe(201);
  });

  test('other types may have all intents', async () => {
    const allIntents = scopeOf([
      'SUBMIT_RECORD',
      'READ_RECORDS',
      'EXPORT_DATA',
      'ANALYZE_VITALITY',
      'REQUEST_SCORE',
      'SYNC_PROTOCOL',
    ]);
    for (const type of ['LAB', 'HOSPITAL', 'PHYSICIAN', 'RESEARCH']) {
      expect((await grantTo(type, allIntents)).status).toBe(201);
    }
  });

  test('a wearable exports only device data', async () => {
    for (const categories of [['BSP-LA'], ['BSP-DV', 'BSP-LA'], [...CATEGORIES]]) {
      expectRefusal(await grantTo('WEARABLE', scopeOf(['EXPORT_DATA'], categories)), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    }
    const { body } = await grantTo('WEARABLE', scopeOf(['EXPORT_DATA']));
    const verdict = (category: string) =>
      parties.verdict(body.token.token_id, `?intent=EXPORT_DATA&category=${category}`);
    expect(await verdict('BSP-DV')).toMatchObject({ valid: true });
    expect(await verdict('BSP-LA')).toMatchObject({ valid: false, reason: 'CATEGORY_NOT_AUTHORIZED' });
    expect((await grantTo('WEARABLE', scopeOf(['EXPORT_DATA'], ['BSP-DV']))).status).toBe(201);
  });

  test('a holder may have all intents except SUBMIT_RECORD', async () => {
    const otherIntents = INTENTS.filter((intent) => intent !== 'SUBMIT_RECORD');
    expect((await parties.grant(anna, anna.id, scopeOf(otherIntents))).status).toBe(201);
    for (const own of [anna.id, anna.domain, anna.transactionId]) {
      expectRefusal(await parties.grant(anna, own, scopeOf([...INTENTS])), 'INTENT_NOT_ALLOWED_FOR_TYPE');
      expectRefusal(await parties.grant(anna, own, scopeOf(['SUBMIT_RECORD'])), 'INTENT_NOT_ALLOWED_FOR_TYPE');
    }
  });
});

describe('a scope that covers no records is refused', () => {
  const atLevels = (categories: readonly string[], levels: readonly string[]) => ({
    ...scopeOf(['READ_RECORDS'], [...categories]),
    levels: [...levels],
  });

  test('if none of its categories has one of its levels', async () => {
    const clinic = await parties.newInstitution();
    for (const scope of [atLevels(['BSP-CV'], ['EXTENDED']), atLevels(['BSP-CV', 'BSP-LA'], ['STANDARD', 'DEVICE'])]) {
      for (const grantee of [clinic.id, anna.id]) {
        const answer = await parties.grant(anna, grantee, scope);
        expectRefusal(answer, 'CATEGORIES_REQUIRED');
        expect(answer.body.details.issues[0].path).toBe('scope.levels');
      }
    }
    expect((await parties.grant(anna, clinic.id, atLevels(['BSP-CV', 'BSP-LA'], ['CORE', 'DEVICE']))).status).toBe(201);
  });

  test('if it can cover only device data but not its level', async () => {
    const wearable = await parties.newInstitution({ ieoType: 'WEARABLE' });
    const scope = { ...atLevels(['*'], ['CORE']), intents: ['SUBMIT_RECORD'] };
    expectRefusal(await parties.grant(anna, wearable.id, scope), 'CATEGORIES_REQUIRED');
    expect((await parties.grant(anna, wearable.id, { ...scope, levels: ['CORE', 'DEVICE'] })).status).toBe(201);
  });
});

describe('a consent is refused', () => {
  test('to a locked, suspended, revoked or destroyed institution', async () => {
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

  test('by a locked or destroyed holder; a locked one may still revoke', async () => {
    const { holder, grantee } = await newParties();
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
  const omitting = (name: string, changed: Fields = {}) => {
    const { [name]: _, ...rest } = body(changed);
    return rest;
  };
  const withScope = (scope: Json) => body({ scope });
  const validScope = scopeOf(['SYNC_PROTOCOL']);

  test.each<[ErrorCode, string, () => Fields]>([
    ['SCOPE_REQUIRED', 'no scope', () => omitting('scope')],
    ['SCOPE_REQUIRED', 'null as scope', () => withScope(null)],
    ['SCOPE_REQUIRED', 'no intents', () => withScope({ categories: ['*'] })],
    ['SCOPE_REQUIRED', 'an empty list of intents', () => withScope(scopeOf([]))],
    ['CATEGORIES_REQUIRED', 'no categories', () => withScope({ intents: ['READ_RECORDS'] })],
    ['CATEGORIES_REQUIRED', 'null as categories', () => withScope({ ...validScope, categories: null })],
    ['CATEGORIES_REQUIRED', 'an empty list of categories', () => withScope(scopeOf(['READ_RECORDS'], []))],
    ['VALIDATION_FAILED', 'a string as scope', () => withScope('everything')],
    ['VALIDATION_FAILED', 'an intent that does not exist', () => withScope(scopeOf(['WRITE_RECORDS']))],
    ['VALIDATION_FAILED', 'an intent in lower case', () => withScope(scopeOf(['read_records']))],
    ['VALIDATION_FAILED', 'a repeated intent', () => withScope(scopeOf(['READ_RECORDS', 'READ_RECORDS']))],
    ['VALIDATION_FAILED', 'a category that does not exist', () => withScope(scopeOf(['READ_RECORDS'], ['BSP-ZZ']))],
    ['VALIDATION_FAILED', 'a repeated category', () => withScope(scopeOf(['READ_RECORDS'], ['BSP-LA', 'BSP-LA']))],
    ['VALIDATION_FAILED', 'a category besides all', () => withScope(scopeOf(['READ_RECORDS'], ['*', 'BSP-LA']))],
    ['VALIDATION_FAILED', 'a level that does not exist', () => withScope({ ...validScope, levels: ['BASIC'] })],
    ['VALIDATION_FAILED', 'a date without a time', () => withScope({ ...validScope, period: { from: '2026-01-01' } })],
    [
      'VALIDATION_FAILED',
      'a period that ends before it begins',
      () => withScope({ ...validScope, period: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }),
    ],
    [
      'VALIDATION_FAILED',
      'a period from before the year 0',
      () => withScope({ ...validScope, period: { from: '0000-01-01T00:00:00+23:59' } }),
    ],
    ['VALIDATION_FAILED', 'an unknown member of a period', () => withScope({ ...validScope, period: { until: null } })],
    ['VALIDATION_FAILED', 'zero records', () => withScope({ ...validScope, max_records: 0 })],
    ['VALIDATION_FAILED', 'half a record', () => withScope({ ...validScope, max_records: 0.5 })],
    ['VALIDATION_FAILED', 'an unknown member of a scope', () => withScope({ ...validScope, purpose: 'care' })],
    ['VALIDATION_FAILED', 'no expiresInDays', () => omitting('expiresInDays')],
    ['VALIDATION_FAILED', 'zero days', () => body({ expiresInDays: 0 })],
    ['VALIDATION_FAILED', '36 501 days', () => body({ expiresInDays: 36_501 })],
    ['VALIDATION_FAILED', 'half a day', () => body({ expiresInDays: 0.5 })],
    ['VALIDATION_FAILED', 'days as a string', () => body({ expiresInDays: '30' })],
    ['VALIDATION_FAILED', 'no grantee', () => omitting('ieoId')],
    ['VALIDATION_FAILED', 'an invalid id', () => body({ ieoId: 'clinic' })],
    ['VALIDATION_FAILED', 'an unknown field', () => body({ note: 'for the operation' })],
    ['NONCE_REQUIRED', 'no nonce', () => omitting('nonce')],
    ['TIMESTAMP_INVALID', 'no timestamp', () => omitting('timestamp')],
    ['SIGNATURE_MISSING', 'no signature', () => omitting('signature')],
    ['BEO_NOT_FOUND', 'an unknown holder', () => body({ beoId: randomUUID() })],
    ['IEO_NOT_FOUND', 'an unknown institution', () => body({ ieoId: randomUUID() })],
    [
      'INVALID_SIGNATURE',
      'the institution’s signature',
      () => parties.grantBody({ ...anna, person: clinic.person }, clinic.id),
    ],
    ['INVALID_SIGNATURE', 'another scope than was signed', () => ({ ...body({}), scope: READING })],
    ['INVALID_SIGNATURE', 'another expiry than was signed', () => ({ ...body({}), expiresInDays: 1 })],
    [
      'INVALID_SIGNATURE',
      'another reference to the same institution than was signed',
      () => ({ ...body({}), ieoId: clinic.domain }),
    ],
  ])('with %s for %s', async (code, _, request) => {
    const answer = await service.post('/api/relayer/consent', request());
    expectRefusal(answer, code);
    if (code === 'INVALID_SIGNATURE')
      expect(answer.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
  });

  test('when it is sent twice, too late or too early', async () => {
    const { holder, grantee } = await newParties();
    const sent = parties.grantBody(holder, grantee.id);
    const { body: first } = await service.post('/api/relayer/consent', sent);
    const repeated = await service.post('/api/relayer/consent', sent);
    expectRefusal(repeated, 'NONCE_REUSED');
    expect(repeated.body.details).toEqual({ transactionId: first.transactionId });
    const fields = { beoId: holder.id, ieoId: holder.id, scope: READING, expiresInDays: null };
    const at = (seconds: number) => ({ timestamp: new Date(Date.now() + seconds * 1000).toISOString() });
    const late = holder.person.sign('grantConsent', fields, at(-310));
    expectRefusal(await service.post('/api/relayer/consent', late), 'TIMESTAMP_TOO_OLD');
    const early = holder.person.sign('grantConsent', fields, at(40));
    expectRefusal(await service.post('/api/relayer/consent', early), 'TIMESTAMP_IN_FUTURE');
  });
});

test('an internal error grants and revokes nothing and returns no details', async () => {
  const { holder, grantee } = await newParties();
  const { token_id } = await parties.granted(holder, grantee.id);
  const { pool } = service.service.context;
  await pool.query('ALTER VIEW effective_tokens RENAME TO tokens_renamed');
  const answers = [
    await parties.grant(holder, grantee.id, scopeOf(['EXPORT_DATA'])),
    await parties.revoke(holder, token_id),
    await parties.beo(holder, 'revoke-all', 'revokeAllTokens'),
    await service.get(`/api/consent/${token_id}`),
    await service.get(`/api/consent/history/${holder.id}`),
  ];
  await pool.query('ALTER VIEW tokens_renamed RENAME TO effective_tokens');
  for (const answer of answers) {
    expectRefusal(answer, 'INTERNAL');
    expect(JSON.stringify(answer.body)).not.toContain('tokens');
  }
  expect((await history(holder.id)).tokens).toMatchObject([{ token_id, status: 'ACTIVE' }]);
});

test('the resulting chain is valid', async () => {
  const entries = await wholeChain(service.service.context.pool);
  expect(entries.length).toBeGreaterThan(90);
  const functions: unknown[] = entries.map((entry) => entry.function);
  expect(new Set(functions)).toEqual(
    new Set([
      'createBEO',
      'createIEO',
      'grantConsent',
      'destroyBEO',
      'destroyIEO',
      'revokeToken',
      'lockIEO',
      'openProposal',
      'approveProposal',
      'unlockIEO',
      'lockBEO',
      'revokeByIntent',
      'revokeAllFromIEO',
      'revokeAllTokens',
    ]),
  );
});
