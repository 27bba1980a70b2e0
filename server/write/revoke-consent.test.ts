import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { createClock } from '../platform/db/clock.ts';
import { newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { type Fields, type Parties, type Party, partiesOf } from './test-parties.ts';

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

describe('a holder revokes', () => {
  /** Grants seven tokens to two institutions and the holder; three of them allow exports. */
  async function grantSeven() {
    const [holder, first, second] = await Promise.all([
      parties.newHolder(),
      parties.newInstitution(),
      parties.newInstitution(),
    ]);
    const stranger = await parties.granted(await parties.newHolder(), first.id);
    const tokens: Record<string, string> = {};
    for (const [name, grantee, intents] of [
      ['first reads', first, ['READ_RECORDS']],
      ['first exports', first, ['EXPORT_DATA']],
      ['first reads and exports', first, ['READ_RECORDS', 'EXPORT_DATA']],
      ['second reads', second, ['READ_RECORDS']],
      ['second submits', second, ['SUBMIT_RECORD']],
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
    return { holder, first, second, tokens, live };
  }

  test('one consent, by its id or the transaction that granted it', async () => {
    const { holder, tokens, live } = await grantSeven();
    const tokenId = tokens['first reads'] ?? '';
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
    const repeated = await parties.revoke(holder, tokenId);
    expectRefusal(repeated, 'TOKEN_ALREADY_REVOKED');
    expect(repeated.body.details).toEqual({ revoked_at });
    const { arweave_tx } = (await parties.verdict(tokens['second reads'] ?? '')).token;
    const byTransaction = await parties.revoke(holder, arweave_tx);
    expect([byTransaction.status, byTransaction.body.token_id]).toEqual([200, tokens['second reads']]);
    expect(await live()).toHaveLength(5);
  });

  test('all consents of one grantee, by any reference', async () => {
    const { holder, first, second, live } = await grantSeven();
    const answer = await parties.revokeFrom(holder, first.domain.toUpperCase());
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['receipt', 'revoked_count', 'transactionId']]);
    expect(answer.body.revoked_count).toBe(3);
    expect(openReceipt(answer.body.receipt).entry).toMatchObject({
      function: 'revokeAllFromIEO',
      entity_id: holder.id,
      message: { beoId: holder.id, ieoId: first.domain.toUpperCase() },
      assigned: { grantee: first.id },
    });
    expect((await parties.revokeFrom(holder, first.id)).body.revoked_count).toBe(0);
    expect(await live()).toEqual(['second reads', 'second submits', 'self reads', 'self exports']);
    expect((await parties.revokeFrom(holder, second.transactionId)).body.revoked_count).toBe(2);
    expect((await parties.revokeFrom(holder, holder.domain)).body.revoked_count).toBe(2);
    expect(await live()).toEqual([]);
  });

  test('all consents with one intent, whatever else they allow', async () => {
    const { holder, live } = await grantSeven();
    const answer = await parties.revokeIntent(holder, 'EXPORT_DATA');
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['receipt', 'revoked_count', 'transactionId']]);
    expect(answer.body.revoked_count).toBe(3);
    expect(openReceipt(answer.body.receipt).entry).toMatchObject({
      function: 'revokeByIntent',
      entity_id: holder.id,
      message: { intent: 'EXPORT_DATA' },
    });
    expect(await live()).toEqual(['first reads', 'second reads', 'second submits', 'self reads']);
    expect((await parties.revokeIntent(holder, 'ANALYZE_VITALITY')).body.revoked_count).toBe(0);
  });

  test.each(['POST /api/relayer/beo/revoke-all', 'DELETE /api/consent/all'])('all consents: %s', async (route) => {
    const { holder, tokens, live } = await grantSeven();
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
    const { tokens: listed } = await history(holder.domain);
    expect(listed).toHaveLength(Object.keys(tokens).length);
    for (const token of listed) {
      expect(token).toMatchObject({ status: 'REVOKED', revoked_at: entry.accepted_at, ledger: { seq: entry.seq } });
    }
    expect((await revokeAll()).body.revoked_count).toBe(0);
    await parties.granted(holder, holder.id);
    expect((await revokeAll()).body.revoked_count).toBe(1);
  });

  test('no consents of a destroyed institution, which are revoked already', async () => {
    const { holder, first, tokens } = await grantSeven();
    await parties.ieo(first, 'destroy', 'destroyIEO');
    for (const name of [first.id, first.domain, first.transactionId]) {
      expect((await parties.revokeFrom(holder, name)).body.revoked_count).toBe(0);
    }
    expectRefusal(await parties.revoke(holder, tokens['first reads'] ?? ''), 'TOKEN_ALREADY_REVOKED');
    expect((await parties.beo(holder, 'revoke-all', 'revokeAllTokens')).body.revoked_count).toBe(4);
  });
});

describe('only the holder revokes a consent:', () => {
  let holder: Party;
  let tokenId: string;
  let transaction: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    const token = await parties.granted(holder, clinic.id);
    tokenId = token.token_id;
    transaction = token.arweave_tx;
  });

  const expectValid = async () => expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });

  test('not another holder, and not with a mismatching hint', async () => {
    const withoutHint = await parties.revoke(anna, tokenId);
    expectRefusal(withoutHint, 'INVALID_SIGNATURE');
    expect(withoutHint.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
    for (const beoId of [anna.id, anna.domain, anna.transactionId, 'unknown.bsp', randomUUID(), clinic.id]) {
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
    await expectValid();
  });

  test('not the institution', async () => {
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
    await expectValid();
  });

  test('the holder, with any reference as hint', async () => {
    for (const beoId of [holder.id.toUpperCase(), holder.domain, holder.transactionId]) {
      const { token_id } = await parties.granted(holder, clinic.id, scopeOf(['EXPORT_DATA']));
      const answer = await parties.revoke(holder, token_id, { beoId });
      expect(answer.status).toBe(200);
      expect(openReceipt(answer.body.receipt).entry).not.toHaveProperty('message.beoId');
    }
    await expectValid();
  });
});

describe('a revocation is refused', () => {
  let holder: Party;
  let tokenId: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    tokenId = (await parties.granted(holder, clinic.id)).token_id;
  });

  test('if the path and the body differ', async () => {
    const sign = (name: string, fields: Fields) => parties.sign(holder.person, name, fields);
    const holderField = { beoId: holder.id };
    for (const [path, body, field] of [
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: `tok_${randomUUID()}` }), 'tokenId'],
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: tokenId.toUpperCase() }), 'tokenId'],
      [`/api/consent/${tokenId}`, sign('revokeToken', { tokenId: null }), 'tokenId'],
      [`/api/consent/ieo/${clinic.domain}`, sign('revokeAllFromIEO', { ...holderField, ieoId: clinic.id }), 'ieoId'],
      ['/api/consent/intent/EXPORT_DATA', sign('revokeByIntent', { ...holderField, intent: 'READ_RECORDS' }), 'intent'],
    ] as const) {
      const refused = await parties.erase(path, body);
      expectRefusal(refused, 'VALIDATION_FAILED');
      expect(refused.body.details.issues[0].path).toBe(field);
    }
    expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });
    const intent = 'EXPORT_DATA';
    const ieoId = clinic.domain;
    for (const [path, body] of [
      [`/api/consent/intent/${intent}`, sign('revokeByIntent', { ...holderField, intent })],
      [`/api/consent/ieo/${ieoId}`, sign('revokeAllFromIEO', { ...holderField, ieoId })],
    ] as const) {
      expect((await parties.erase(path, body)).status).toBe(200);
    }
    const { token_id } = await parties.granted(holder, clinic.id);
    expect((await parties.erase(`/api/consent/${token_id}`, sign('revokeToken', { tokenId: token_id }))).status).toBe(
      200,
    );
    tokenId = (await parties.granted(holder, clinic.id)).token_id;
  });

  test('if the signature does not cover the path', async () => {
    const { tokenId: _, ...another } = parties.sign(holder.person, 'revokeToken', { tokenId: `tok_${randomUUID()}` });
    expectRefusal(await parties.erase(`/api/consent/${tokenId}`, another), 'INVALID_SIGNATURE');
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

  test('without a body, or with one that is not an object', async () => {
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
    const inQuery = await parties.erase(`/api/consent/${tokenId}?${query}`, {});
    expectRefusal(inQuery, 'VALIDATION_FAILED');
    expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });
  });

  test('for an unknown or invalid reference', async () => {
    expectRefusal(await parties.revoke(holder, `tok_${randomUUID()}`), 'TOKEN_NOT_FOUND');
    expectRefusal(await parties.revoke(holder, 'A'.repeat(43)), 'TOKEN_NOT_FOUND');
    expectRefusal(await parties.revoke(holder, 'tok_1'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revoke(holder, randomUUID()), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeFrom(holder, 'unknown.bsp'), 'IEO_NOT_FOUND');
    expectRefusal(await parties.revokeFrom(holder, anna.domain), 'IEO_NOT_FOUND');
    expectRefusal(await parties.revokeFrom(holder, 'clinic'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent(holder, 'WRITE_RECORDS'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent(holder, 'read_records'), 'VALIDATION_FAILED');
    expectRefusal(await parties.revokeIntent({ ...holder, id: randomUUID() }, 'READ_RECORDS'), 'BEO_NOT_FOUND');
  });

  test('if it is a replay or was signed too long ago', async () => {
    const body = parties.sign(holder.person, 'revokeToken', { tokenId });
    const first = await parties.erase(`/api/consent/${tokenId}`, body);
    expect(first.status).toBe(200);
    const repeated = await parties.erase(`/api/consent/${tokenId}`, body);
    expectRefusal(repeated, 'NONCE_REUSED');
    expect(repeated.body.details).toEqual({ transactionId: first.body.transactionId });
    const timestamp = new Date(Date.now() + shift - 310_000).toISOString();
    const late = newPerson().sign('revokeToken', { tokenId }, { timestamp });
    expectRefusal(await parties.erase(`/api/consent/${tokenId}`, late), 'TIMESTAMP_TOO_OLD');
  });
});

describe('all consents of a party are revoked', () => {
  async function grantAcross() {
    const [holder, secondHolder] = await Promise.all([parties.newHolder(), parties.newHolder()]);
    const [grantee, secondGrantee] = await Promise.all([parties.newInstitution(), parties.newInstitution()]);
    const earlier = await parties.granted(holder, grantee.id, scopeOf(['SYNC_PROTOCOL']));
    const revocation = await parties.revoke(holder, earlier.token_id);
    return {
      holder,
      secondHolder,
      grantee,
      revokedEarlier: earlier.token_id as string,
      revokedAt: revocation.body.revoked_at as string,
      between: (await parties.granted(holder, grantee.id)).token_id as string,
      expiring: (await parties.granted(holder, grantee.id, scopeOf(['EXPORT_DATA']), 3)).token_id as string,
      own: (await parties.granted(holder, holder.id)).token_id as string,
      toSecondGrantee: (await parties.granted(holder, secondGrantee.id)).token_id as string,
      ofSecondHolder: (await parties.granted(secondHolder, grantee.id)).token_id as string,
    };
  }

  async function expectRevoked(tokenId: string, at: { revoked_at: string; seq: number }, more: Fields) {
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

  test('if the holder is destroyed, and no longer show the holder’s domain', async () => {
    const { holder, grantee, revokedEarlier, revokedAt, between, expiring, own, toSecondGrantee, ofSecondHolder } =
      await grantAcross();
    const answer = await parties.beo(holder, 'destroy', 'destroyBEO');
    const at = { revoked_at: answer.body.destroyed_at, seq: seqOf(answer) };
    const destroyed = { beo_id: holder.id, beo_domain: null };
    for (const id of [between, expiring]) await expectRevoked(id, at, { ...destroyed, ieo_domain: grantee.domain });
    await expectRevoked(own, at, { ...destroyed, ieo_id: holder.id, ieo_domain: null });
    await expectRevoked(toSecondGrantee, at, destroyed);
    expect((await parties.verdict(revokedEarlier)).token).toMatchObject({ revoked_at: revokedAt, ...destroyed });
    expect(await parties.verdict(ofSecondHolder)).toMatchObject({ valid: true });
    expectRefusal(await service.get(`/api/consent/history/${holder.domain}`), 'BEO_NOT_FOUND');
    const listed = await history(holder.id);
    expect(listed.count).toBe(5);
    expect(JSON.stringify(listed)).not.toContain(holder.domain);
    expectRefusal(await parties.revoke(holder, between), 'BEO_DESTROYED');
    shift += 4 * DAY;
    await expectRevoked(expiring, at, destroyed);
  });

  test('if the institution destroys itself', async () => {
    const {
      holder,
      secondHolder,
      grantee,
      revokedEarlier,
      revokedAt,
      between,
      expiring,
      own,
      toSecondGrantee,
      ofSecondHolder,
    } = await grantAcross();
    const answer = await parties.ieo(grantee, 'destroy', 'destroyIEO');
    const at = { revoked_at: answer.body.destroyed_at, seq: seqOf(answer) };
    for (const id of [between, expiring]) {
      await expectRevoked(id, at, { beo_domain: holder.domain, ieo_id: grantee.id, ieo_domain: grantee.domain });
    }
    await expectRevoked(ofSecondHolder, at, { beo_domain: secondHolder.domain });
    expect((await parties.verdict(revokedEarlier)).token).toMatchObject({ revoked_at: revokedAt });
    for (const id of [own, toSecondGrantee]) expect(await parties.verdict(id)).toMatchObject({ valid: true });
  });

  test('if the institute revokes the institution', async () => {
    const {
      holder,
      secondHolder,
      grantee,
      revokedEarlier,
      revokedAt,
      between,
      expiring,
      own,
      toSecondGrantee,
      ofSecondHolder,
    } = await grantAcross();
    const answer = await parties.decide('revokeIEO', { ieoId: grantee.domain, reason: 'Sold what it read.' });
    const at = { revoked_at: answer.body.proposal.executed_at, seq: seqOf(answer) };
    for (const id of [between, expiring]) await expectRevoked(id, at, { beo_domain: holder.domain });
    await expectRevoked(ofSecondHolder, at, { beo_domain: secondHolder.domain });
    expect((await parties.verdict(revokedEarlier)).token).toMatchObject({ revoked_at: revokedAt });
    for (const id of [own, toSecondGrantee]) expect(await parties.verdict(id)).toMatchObject({ valid: true });
    const { tokens } = await history(holder.domain);
    expect(tokens.map(({ status }: { status: string }) => status).sort()).toEqual([
      'ACTIVE',
      'ACTIVE',
      'REVOKED',
      'REVOKED',
      'REVOKED',
    ]);
    for (const answer of [await parties.revoke(holder, between), await parties.revoke(secondHolder, ofSecondHolder)]) {
      expectRefusal(answer, 'TOKEN_ALREADY_REVOKED');
      expect(answer.body.details).toEqual({ revoked_at: at.revoked_at });
    }
  });
});

test('the resulting chain is valid', async () => {
  const entries = await wholeChain(service.service.context.pool);
  expect(entries.length).toBeGreaterThan(140);
  const functions: unknown[] = entries.map((entry) => entry.function);
  expect(new Set(functions)).toEqual(
    new Set([
      'createBEO',
      'createIEO',
      'grantConsent',
      'revokeToken',
      'revokeAllFromIEO',
      'revokeByIntent',
      'revokeAllTokens',
      'destroyIEO',
      'destroyBEO',
      'openProposal',
      'approveProposal',
    ]),
  );
});
