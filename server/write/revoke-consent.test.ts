import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../clock.ts';
import { A_DIGEST, expectRefusal } from '../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { newPerson, startTestService, type TestService } from '../test-service.ts';
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

  test('all consents of one institution, by any reference, or of the holder', async () => {
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

  test('all consents with one intent, whatever else they allow', async () => {
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

  test('nothing of a destroyed institution, whose consents have ended', async () => {
    const { holder, one, tokens } = await seven();
    await parties.ieo(one, 'destroy', 'destroyIEO');
    for (const name of [one.id, one.domain, one.transactionId]) {
      expect((await parties.revokeFrom(holder, name)).body.revoked_count).toBe(0);
    }
    expectRefusal(await parties.revoke(holder, tokens['one reads'] ?? ''), 'TOKEN_ALREADY_REVOKED');
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

  const live = async () => expect(await parties.verdict(tokenId)).toMatchObject({ valid: true });

  test('not another holder, and a mismatching hint is refused', async () => {
    const plain = await parties.revoke(anna, tokenId);
    expectRefusal(plain, 'INVALID_SIGNATURE');
    expect(plain.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
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
    await live();
  });

  test('the holder, with any reference as hint', async () => {
    for (const beoId of [holder.id.toUpperCase(), holder.domain, holder.transactionId]) {
      const { token_id } = await parties.granted(holder, clinic.id, scopeOf(['EXPORT_DATA']));
      const answer = await parties.revoke(holder, token_id, { beoId });
      expect(answer.status).toBe(200);
      expect(openReceipt(answer.body.receipt).entry).not.toHaveProperty('message.beoId');
    }
    await live();
  });
});

describe('a revocation is refused', () => {
  let holder: Party;
  let tokenId: string;
  beforeAll(async () => {
    holder = await parties.newHolder();
    tokenId = (await parties.granted(holder, clinic.id)).token_id;
  });

  test('when the path and the body differ, but not when they are equal', async () => {
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

  test('when the signature does not cover the path', async () => {
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

  test('that is a replay, or was signed too long ago', async () => {
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

  test('with its holder, whose domain it then no longer shows', async () => {
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

  test('with its institution when the institute revokes it', async () => {
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
