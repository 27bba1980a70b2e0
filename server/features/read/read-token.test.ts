import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf, READING } from '../../write/test-parties.ts';

let shift = 0;
let service: TestService;
let parties: Parties;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  parties = partiesOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const DAY = 24 * 3_600_000;
const scopeOf = (intents: string[], categories: string[] = ['*']) => ({ intents, categories });
const history = async (reference: string, query = '') =>
  (await service.get(`/api/consent/history/${reference}${query}`)).body;

async function newParties() {
  return { holder: await parties.newHolder(), grantee: await parties.newInstitution() };
}

describe('verifying a token', () => {
  test('returns the first reason in the order of the protocol', async () => {
    const { holder, grantee } = await newParties();
    const token = await parties.granted(holder, grantee.id, scopeOf(['READ_RECORDS'], ['BSP-LA']), 1);
    const wrong = '?intent=EXPORT_DATA&category=BSP-DV';
    const reason = async (query = wrong) => {
      const { valid, reason: returned, token: shown } = await parties.verdict(token.token_id, query);
      expect(valid).toBe(returned === undefined);
      expect(shown.token_id).toBe(token.token_id);
      return returned ?? null;
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
    shift += DAY + 60_000;
    expect(await reason()).toBe('TOKEN_EXPIRED');
    await parties.revoke(holder, token.token_id);
    expect(await reason()).toBe('TOKEN_REVOKED');
  });

  test('fails from its expiry on, after which the same consent can be granted again', async () => {
    const { holder, grantee } = await newParties();
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

  test('fails while the institution is suspended, and succeeds after its reinstatement', async () => {
    const { holder, grantee } = await newParties();
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

  test('fails while the holder is locked, also for a self token', async () => {
    const { holder, grantee } = await newParties();
    const tokens = [await parties.granted(holder, grantee.id), await parties.granted(holder, holder.id)];
    const reasons = () => Promise.all(tokens.map(async ({ token_id }) => (await parties.verdict(token_id)).reason));
    await parties.beo(holder, 'lock', 'lockBEO');
    expect(await reasons()).toEqual(['BEO_NOT_ACTIVE', 'BEO_NOT_ACTIVE']);
    await parties.beo(holder, 'unlock', 'unlockBEO');
    expect(await reasons()).toEqual([undefined, undefined]);
  });

  test('succeeds for every category with * and every intent of the token', async () => {
    const { holder, grantee } = await newParties();
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
  test('orders tokens granted at the same time by the ledger', async () => {
    const [holder, clinic] = [await parties.newHolder(), await parties.newInstitution()];
    const scopes = Array.from({ length: 40 }, (_, index) => ({ ...READING, max_records: index + 1 }));
    await Promise.all(scopes.map((scope) => parties.granted(holder, clinic.id, scope)));
    const { body } = await service.get(`/api/consent/history/${holder.id}?limit=200`);
    const seqs = body.tokens.map(({ ledger }: { ledger: { seq: number } }) => ledger.seq);
    expect(seqs).toHaveLength(40);
    expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => b - a));
  });

  test('returns all consents in pages, newest first, without gaps or duplicates during new grants', async () => {
    const { holder, grantee } = await newParties();
    expect(await history(holder.domain)).toEqual({ tokens: [], count: 0, next_cursor: null });
    const granted: string[] = [];
    const grantNext = async () => {
      const { token_id } = await parties.granted(holder, grantee.id, { ...READING, max_records: granted.length + 1 });
      granted.unshift(token_id);
    };
    for (let index = 0; index < 11; index++) await grantNext();
    const before = [...granted];
    await parties.granted(await parties.newHolder(), grantee.id);
    await parties.revoke(holder, granted[3] ?? '');

    const whole = await history(holder.domain.toUpperCase());
    expect(Object.keys(whole)).toEqual(['tokens', 'count', 'next_cursor']);
    expect([whole.count, whole.next_cursor]).toEqual([11, null]);
    expect(whole.tokens.map(({ token_id }: { token_id: string }) => token_id)).toEqual(before);
    expect(whole.tokens[3]).toMatchObject({ status: 'REVOKED', revoked: true });

    for (const limit of [1, 4, 11]) {
      const expected = [...granted];
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await history(holder.id, `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
        expect(page.count).toBe(granted.length);
        seen.push(...page.tokens.map(({ token_id }: { token_id: string }) => token_id));
        cursor = page.next_cursor;
        if (limit === 4) await grantNext();
      } while (cursor !== null);
      expect(seen).toEqual(expected);
    }
  });

  test('refuses the cursor of another holder’s history', async () => {
    const [first, second] = [await newParties(), await newParties()];
    for (const { holder, grantee } of [first, second]) {
      for (const records of [1, 2]) await parties.granted(holder, grantee.id, { ...READING, max_records: records });
    }
    const cursor = (await history(first.holder.id, '?limit=1')).next_cursor;
    const next = await history(first.holder.domain, `?limit=1&cursor=${cursor}`);
    expect([next.tokens.length, next.next_cursor]).toEqual([1, null]);
    for (const path of [
      `${second.holder.id}?limit=1&cursor=${cursor}`,
      `${first.holder.id}?limit=1&cursor=${cursor.slice(0, -2)}`,
      `${first.holder.id}?limit=1&cursor=${cursor}&cursor=${cursor}`,
      `${first.holder.id}?limit=0`,
      `${first.holder.id}?status=ACTIVE`,
    ]) {
      expectRefusal(await service.get(`/api/consent/history/${path}`), 'VALIDATION_FAILED');
    }
  });
});

test('the resulting chain is valid', async () => {
  const entries = await wholeChain(service.service.context.pool);
  expect(entries.length).toBeGreaterThan(100);
  const functions: unknown[] = entries.map((entry) => entry.function);
  expect(new Set(functions)).toEqual(
    new Set([
      'createBEO',
      'createIEO',
      'grantConsent',
      'lockIEO',
      'lockBEO',
      'revokeToken',
      'revokeAllTokens',
      'openProposal',
      'approveProposal',
      'revokeAllFromIEO',
      'unlockBEO',
    ]),
  );
});
