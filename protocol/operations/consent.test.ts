import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { IEO_STATUSES, type IeoStatus, type IeoType } from '../entities/ieo.ts';
import { INTENTS, type Intent } from '../entities/intents.ts';
import { type Scope, tokenState, tokenView } from '../entities/token.ts';
import type { ErrorCode } from '../errors.ts';
import { destroyBEO } from './destroy-beo.ts';
import { grantConsent } from './grant-consent.ts';
import { lockBEO } from './lock-beo.ts';
import { revokeAllFromIEO } from './revoke-all-from-ieo.ts';
import { revokeAllTokens } from './revoke-all-tokens.ts';
import { revokeByIntent } from './revoke-by-intent.ts';
import { revokeToken } from './revoke-token.ts';
import { type Request, revokedBy, type TestLedger } from './test-ledger.ts';
import {
  afterDays,
  answerOf,
  at,
  beoCreation,
  byHolder,
  byInstitution,
  consentGrant,
  decide,
  ieoCreation,
  LAB,
  ledgerWith,
  MARIA,
  refusalOf,
  requireEntity,
  setStatus,
  withdrawal,
} from './test-requests.ts';
import { unlockBEO } from './unlock-beo.ts';
import { unlockIEO } from './unlock-ieo.ts';

const revokeFrom = (grantee: string, holder = MARIA): Request => ({
  ...byHolder(revokeAllFromIEO, { ieoId: grantee }, holder),
  assigned: { grantee },
});
const revokeWithIntent = (intent: Intent): Request => byHolder(revokeByIntent, { intent });
const revokeAll = byHolder(revokeAllTokens);

/** The current status of a token. */
function statusOf(ledger: TestLedger, tokenId: string, moment: string) {
  const token = requireEntity(ledger, 'TOKEN', tokenId);
  const beo = ledger.find('BEO', token.beoId);
  const grantee = ledger.find(token.grantee.kind, token.grantee.id);
  if (!beo || !grantee) throw new Error('A party is missing.');
  return tokenState(token, { beo, grantee }, Date.parse(moment)).status;
}

const code = (ledger: TestLedger, request: Request, moment: string): ErrorCode =>
  refusalOf(() => ledger.submit(request, moment)).code;

describe('grantConsent', () => {
  test('creates a token with holder, grantee, scope and end', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ scope: { max_records: 5 }, expiresInDays: 30 }), at(7));
    expect(requireEntity(ledger, 'TOKEN')).toEqual({
      kind: 'TOKEN',
      id: 'token',
      beoId: MARIA,
      grantee: { kind: 'IEO', id: LAB },
      grantedAt: at(7),
      expiresAt: new Date(Date.parse(at(7)) + 30 * 86_400_000).toISOString(),
      scope: { intents: ['READ_RECORDS'], categories: ['BSP-CV'], levels: [], period: null, max_records: 5 },
      scopeKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      revokedAt: null,
      submitted: 0,
      ownerSignature: 'signature of token',
      tokenHash: 'hash',
      transactionId: 'transaction 3',
      seq: 3,
      createdSeq: 3,
    });
  });

  test.each([
    [1, '2026-02-01T12:00:00.000Z'],
    [28, '2026-02-28T12:00:00.000Z'],
    [365, '2027-01-31T12:00:00.000Z'],
    [36_500, '2126-01-07T12:00:00.000Z'],
    [null, null],
  ])('of %s days ends after as many times 24 hours: %s', (expiresInDays, expiresAt) => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ expiresInDays }), at(0));
    expect(requireEntity(ledger, 'TOKEN').expiresAt).toBe(expiresAt);
  });

  test('changes neither party', () => {
    const ledger = ledgerWith();
    const before = ledger.all();
    ledger.submit(consentGrant(), at(1));
    expect(ledger.all()).toEqual([...before, requireEntity(ledger, 'TOKEN')]);
  });

  test('stores the hash of the signed message', () => {
    const message = { function: 'grantConsent', beoId: 'maria.bsp', ieoId: 'lab.bsp', expiresInDays: null };
    const scope = { intents: ['READ_RECORDS'] as Intent[], categories: ['BSP-CV'] };
    const fields = { beoId: 'maria.bsp', ieoId: 'lab.bsp', scope, expiresInDays: null };
    const canonical = '{"beoId":"maria.bsp","expiresInDays":null,"function":"grantConsent","ieoId":"lab.bsp"}';
    expect(grantConsent.publicFacts({ fields, message, signature: 'as sent' })).toEqual({
      scope: { ...scope, levels: [], period: null, max_records: null },
      expiresInDays: null,
      ownerSignature: 'as sent',
      tokenHash: createHash('sha256').update(canonical).digest('hex'),
    });
  });

  test('is rejected if the holder or the grantee does not exist', () => {
    expect(code(ledgerWith(), consentGrant({ holder: 'unknown' }), at(1))).toBe('BEO_NOT_FOUND');
    expect(code(ledgerWith(), consentGrant({ grantee: 'unknown' }), at(1))).toBe('IEO_NOT_FOUND');
    expect(code(ledgerWith(), consentGrant({ holder: LAB }), at(1))).toBe('BEO_NOT_FOUND');
  });

  test('is rejected if the grantee is another person', () => {
    const ledger = ledgerWith();
    ledger.submit(beoCreation({}, 'ana'), at(1));
    expect(code(ledger, consentGrant({ grantee: 'ana' }), at(2))).toBe('IEO_NOT_FOUND');
  });

  test.each([
    ['LOCKED', lockBEO, 'BEO_LOCKED'],
    ['DESTROYED', destroyBEO, 'BEO_DESTROYED'],
  ] as const)('is rejected for a holder who is %s, for every grantee, also itself', (_, operation, expected) => {
    for (const state of IEO_STATUSES.filter((status) => status !== 'DESTROYED')) {
      const ledger = ledgerWith(state);
      ledger.submit(byHolder(operation), at(2));
      expect(code(ledger, consentGrant(), at(3))).toBe(expected);
      expect(code(ledger, consentGrant({ grantee: MARIA }), at(3))).toBe(expected);
    }
  });

  test.each([
    ['LOCKED', 'IEO_NOT_ACTIVE'],
    ['SUSPENDED', 'IEO_NOT_ACTIVE'],
    ['REVOKED', 'IEO_NOT_ACTIVE'],
    ['DESTROYED', 'IEO_DESTROYED'],
  ] as const)('is rejected for an institution that is %s: %s', (state, refused) => {
    const ledger = ledgerWith(state);
    const before = ledger.all();
    expect(code(ledger, consentGrant(), at(2))).toBe(refused);
    expect(ledger.all()).toEqual(before);
  });

  test('works again after the holder and the institution were unlocked', () => {
    const ledger = ledgerWith('LOCKED');
    ledger.submit(byHolder(lockBEO), at(2));
    ledger.submit(byHolder(unlockBEO), at(3));
    ledger.submit(byInstitution(unlockIEO), at(3));
    ledger.submit(consentGrant(), at(4));
    expect(statusOf(ledger, 'token', at(4))).toBe('ACTIVE');
  });
});

describe('what a type of institution may be granted', () => {
  const LIMITS: readonly (readonly [IeoType, Partial<Scope>, number | null, boolean])[] = [
    ['WEARABLE', { intents: ['READ_RECORDS'], categories: ['BSP-DV'] }, 30, false],
    ['WEARABLE', { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['BSP-DV'] }, 30, false],
    ['WEARABLE', { intents: ['SUBMIT_RECORD'], categories: ['BSP-DV'] }, null, true],
    ['WEARABLE', { intents: ['SUBMIT_RECORD'], categories: ['*'] }, null, true],
    ['WEARABLE', { intents: ['SUBMIT_RECORD'], categories: ['BSP-CV'] }, 30, false],
    ['WEARABLE', { intents: ['SUBMIT_RECORD'], categories: ['BSP-DV', 'BSP-CV'] }, 30, false],
    ['WEARABLE', { intents: ['SYNC_PROTOCOL'], categories: ['BSP-DV'] }, 30, true],
    ['PLATFORM', { intents: ['SUBMIT_RECORD'], categories: ['*'] }, 30, false],
    ['PLATFORM', { intents: ['READ_RECORDS', 'SUBMIT_RECORD'] }, 30, false],
    ['PLATFORM', { intents: ['READ_RECORDS', 'EXPORT_DATA'] }, null, true],
    ['INSURER', { intents: ['REQUEST_SCORE'] }, null, false],
    ['INSURER', { intents: ['REQUEST_SCORE'] }, 36_500, true],
    ['INSURER', { intents: ['SUBMIT_RECORD', 'READ_RECORDS'] }, 1, true],
    ...(['LAB', 'HOSPITAL', 'PHYSICIAN', 'RESEARCH'] as const).map(
      (type) => [type, { intents: INTENTS, categories: ['*'] }, null, true] as const,
    ),
  ];

  test.each(LIMITS)('%s, %j for %s days: %s', (ieoType, scope, expiresInDays, allowed) => {
    const ledger = ledgerWith();
    ledger.submit(ieoCreation({ ieoType }, 'other'), at(0));
    const request = consentGrant({ grantee: 'other', scope, expiresInDays });
    if (allowed) expect(ledger.submit(request, at(1)).entityId).toBe('token');
    else expect(code(ledger, request, at(1))).toBe('INTENT_NOT_ALLOWED_FOR_TYPE');
  });

  test('is checked after the status, and before duplicates', () => {
    const ledger = ledgerWith();
    ledger.submit(ieoCreation({ ieoType: 'WEARABLE' }, 'watch'), at(0));
    setStatus(ledger, 'SUSPENDED', at(1), 'watch');
    expect(code(ledger, consentGrant({ grantee: 'watch' }), at(2))).toBe('IEO_NOT_ACTIVE');
    decide(ledger, 'reinstateIEO', at(3), 'watch');
    expect(code(ledger, consentGrant({ grantee: 'watch' }), at(4))).toBe('INTENT_NOT_ALLOWED_FOR_TYPE');
  });

  test('does not limit a self token, which may have all categories and no end', () => {
    const ledger = ledgerWith();
    const all = { intents: INTENTS, categories: ['*'] };
    ledger.submit(consentGrant({ grantee: MARIA, scope: all, expiresInDays: null }), at(1));
    expect(requireEntity(ledger, 'TOKEN').grantee).toEqual({ kind: 'BEO', id: MARIA });
    expect(statusOf(ledger, 'token', afterDays(100_000))).toBe('ACTIVE');
  });
});

describe('a duplicate consent', () => {
  const scope: Partial<Scope> = { intents: ['READ_RECORDS', 'EXPORT_DATA'], categories: ['BSP-CV', 'BSP-GL'] };
  const again = (changes: Parameters<typeof consentGrant>[0] = {}) => consentGrant({ scope, ...changes }, 'again');
  const withToken = (): TestLedger => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ scope }), at(1));
    return ledger;
  };

  test('is rejected with the id of the existing token', () => {
    const ledger = withToken();
    const before = ledger.all();
    const refused = refusalOf(() => ledger.submit(again(), at(2)));
    expect(refused).toMatchObject({ code: 'DUPLICATE_TOKEN', details: { token_id: 'token' } });
    expect(ledger.all()).toEqual(before);
  });

  test('is a duplicate in any order of the lists and with any end', () => {
    for (const changes of [
      { scope: { intents: scope.intents?.toReversed(), categories: scope.categories?.toReversed() } as Partial<Scope> },
      { expiresInDays: null },
      { expiresInDays: 1 },
    ]) {
      expect(code(withToken(), again(changes), at(2))).toBe('DUPLICATE_TOKEN');
    }
  });

  test('is not a duplicate with another scope', () => {
    for (const changes of [
      { intents: ['READ_RECORDS'] },
      { categories: ['*'] },
      { levels: ['CORE'] },
      { max_records: 1 },
      { period: { from: null, to: at(0) } },
    ] as Partial<Scope>[]) {
      const ledger = withToken();
      ledger.submit(again({ scope: { ...scope, ...changes } }), at(2));
      expect(statusOf(ledger, 'again', at(2))).toBe('ACTIVE');
      expect(statusOf(ledger, 'token', at(2))).toBe('ACTIVE');
    }
  });

  test('is not a duplicate with another holder or grantee', () => {
    const ledger = withToken();
    ledger.submit(beoCreation({}, 'ana'), at(1));
    ledger.submit(ieoCreation({}, 'clinic'), at(1));
    ledger.submit(again({ holder: 'ana' }), at(2));
    ledger.submit(consentGrant({ scope, grantee: 'clinic' }, 'third'), at(2));
    ledger.submit(consentGrant({ scope, grantee: MARIA }, 'own'), at(2));
    expect(ledger.all().filter(({ kind }) => kind === 'TOKEN')).toHaveLength(4);
    expect(code(ledger, consentGrant({ scope, grantee: MARIA }, 'own again'), at(3))).toBe('DUPLICATE_TOKEN');
  });

  test('is accepted exactly from the expiry of the first', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ scope }), afterDays(0));
    expect(code(ledger, again(), afterDays(30, -1))).toBe('DUPLICATE_TOKEN');
    ledger.submit(again(), afterDays(30));
    expect(['token', 'again'].map((id) => statusOf(ledger, id, afterDays(30)))).toEqual(['EXPIRED', 'ACTIVE']);
    expect(code(ledger, consentGrant({ scope }, 'third'), afterDays(31))).toBe('DUPLICATE_TOKEN');
  });

  test.each([
    ['it', withdrawal()],
    ['all', revokeAll],
    ['all of that institution', revokeFrom(LAB)],
    ['all with one of its intents', revokeWithIntent('EXPORT_DATA')],
  ])('is possible again once the holder has revoked %s', (_, revocation) => {
    const ledger = withToken();
    ledger.submit(revocation, at(2));
    ledger.submit(again(), at(2));
    expect(['token', 'again'].map((id) => statusOf(ledger, id, at(2)))).toEqual(['REVOKED', 'ACTIVE']);
  });

  test('stays rejected while the institution is suspended, and after it is reinstated', () => {
    const ledger = withToken();
    setStatus(ledger, 'SUSPENDED', at(2));
    expect(code(ledger, again(), at(3))).toBe('IEO_NOT_ACTIVE');
    decide(ledger, 'reinstateIEO', at(4));
    expect(code(ledger, again(), at(5))).toBe('DUPLICATE_TOKEN');
  });
});

describe('revokeToken', () => {
  const withToken = (changes: Parameters<typeof consentGrant>[0] = {}): TestLedger => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(changes), at(1));
    return ledger;
  };

  test('ends one token, and changes nothing else', () => {
    const ledger = withToken();
    ledger.submit(consentGrant({ scope: { intents: ['EXPORT_DATA'] } }, 'other'), at(1));
    const before = ledger.all().filter(({ id }) => id !== 'token');
    const token = requireEntity(ledger, 'TOKEN');
    const { seq } = ledger.submit(withdrawal(), at(2));
    expect(requireEntity(ledger, 'TOKEN')).toEqual({ ...token, revokedAt: at(2), seq });
    expect(ledger.all().filter(({ id }) => id !== 'token')).toEqual(before);
  });

  test('is rejected the second time with the time of the revocation', () => {
    const ledger = withToken();
    ledger.submit(withdrawal(), at(2));
    const refused = refusalOf(() => ledger.submit(withdrawal(), at(3)));
    expect(refused).toMatchObject({ code: 'TOKEN_ALREADY_REVOKED', details: { revoked_at: at(2) } });
    expect(requireEntity(ledger, 'TOKEN').revokedAt).toBe(at(2));
  });

  test('works while the holder is locked, and is rejected once the holder is destroyed', () => {
    const ledger = withToken();
    ledger.submit(consentGrant({ grantee: MARIA }, 'own'), at(1));
    ledger.submit(byHolder(lockBEO), at(2));
    ledger.submit(withdrawal('own'), at(3));
    expect(statusOf(ledger, 'own', at(3))).toBe('REVOKED');
    ledger.submit(byHolder(destroyBEO), at(4));
    expect(code(ledger, withdrawal(), at(5))).toBe('BEO_DESTROYED');
  });

  test.each([
    ['ACTIVE', null],
    ['LOCKED', null],
    ['SUSPENDED', null],
    ['REVOKED', 'TOKEN_ALREADY_REVOKED'],
    ['DESTROYED', 'TOKEN_ALREADY_REVOKED'],
  ] as const)('of a token to an institution that is %s: %s', (state, expected) => {
    const ledger = withToken();
    setStatus(ledger, state, at(2));
    if (expected) {
      const error = refusalOf(() => ledger.submit(withdrawal(), at(3)));
      expect(error).toMatchObject({ code: expected, details: { revoked_at: at(2) } });
    } else {
      ledger.submit(withdrawal(), at(3));
      expect(statusOf(ledger, 'token', at(3))).toBe('REVOKED');
    }
  });

  test('revokes an expired token, once', () => {
    const ledger = withToken({ expiresInDays: 1 });
    expect(statusOf(ledger, 'token', afterDays(2))).toBe('EXPIRED');
    ledger.submit(withdrawal(), afterDays(2));
    expect(statusOf(ledger, 'token', afterDays(2))).toBe('REVOKED');
    expect(code(ledger, withdrawal(), afterDays(3))).toBe('TOKEN_ALREADY_REVOKED');
  });

  test.each([revokeToken, revokeAllTokens, revokeAllFromIEO, revokeByIntent, grantConsent])(
    '$name is signed by the holder’s key only',
    ({ signer, subjects }) => {
      expect(signer).toEqual({ role: 'holder' });
      expect((subjects as Record<string, { kind: string }>).holder?.kind).toBe('BEO');
    },
  );
});

describe('revoking many tokens', () => {
  /** Maria's tokens for two institutions and herself, one expired and one revoked; and one token of Ana. */
  function ledgerWithTokens(): TestLedger {
    const ledger = ledgerWith();
    ledger.submit(ieoCreation({}, 'clinic'), at(0));
    ledger.submit(beoCreation({}, 'ana'), at(0));
    const read: Partial<Scope> = { intents: ['READ_RECORDS'] };
    const both: Partial<Scope> = { intents: ['EXPORT_DATA', 'READ_RECORDS'] };
    const submit: Partial<Scope> = { intents: ['SUBMIT_RECORD'] };
    ledger.submit(consentGrant({ scope: read }, 'lab reads'), at(1));
    ledger.submit(consentGrant({ scope: submit, expiresInDays: null }, 'lab submits'), at(1));
    ledger.submit(consentGrant({ scope: both, grantee: 'clinic' }, 'clinic reads'), at(1));
    ledger.submit(consentGrant({ scope: both, grantee: MARIA }, 'own'), at(1));
    ledger.submit(consentGrant({ scope: both, expiresInDays: 1 }, 'expired'), at(1));
    ledger.submit(consentGrant({ scope: { ...read, max_records: 1 } }, 'revoked'), at(1));
    ledger.submit(withdrawal('revoked'), at(2));
    ledger.submit(consentGrant({ holder: 'ana', scope: read }, 'ana’s'), at(1));
    return ledger;
  }
  const MOMENT = afterDays(2);
  const REVOCATIONS: readonly (readonly [string, Request, readonly string[]])[] = [
    ['all', revokeAll, ['clinic reads', 'lab reads', 'lab submits', 'own']],
    ['all from one institution', revokeFrom(LAB), ['lab reads', 'lab submits']],
    ['all from another', revokeFrom('clinic'), ['clinic reads']],
    ['all for oneself', revokeFrom(MARIA), ['own']],
    ['all with READ_RECORDS', revokeWithIntent('READ_RECORDS'), ['clinic reads', 'lab reads', 'own']],
    ['all with SUBMIT_RECORD', revokeWithIntent('SUBMIT_RECORD'), ['lab submits']],
    ['all with an unused intent', revokeWithIntent('SYNC_PROTOCOL'), []],
  ];
  const revokedAtMoment = (ledger: TestLedger): string[] =>
    ledger.all().flatMap((entity) => (entity.kind === 'TOKEN' && entity.revokedAt === MOMENT ? [entity.id] : []));

  test.each(REVOCATIONS)(
    '%s: revokes only live tokens of the holder, and returns their number',
    (_, request, tokens) => {
      const ledger = ledgerWithTokens();
      expect(answerOf(ledger, request, MOMENT)).toEqual({ revoked_count: tokens.length });
      expect(revokedAtMoment(ledger).sort()).toEqual(tokens);
      expect(requireEntity(ledger, 'TOKEN', 'revoked').revokedAt).toBe(at(2));
      expect(statusOf(ledger, 'expired', MOMENT)).toBe('EXPIRED');
      expect(statusOf(ledger, 'ana’s', MOMENT)).toBe('ACTIVE');
      for (const id of tokens) expect(requireEntity(ledger, 'TOKEN', id).seq).toBe(ledger.recorded.length);
    },
  );

  test.each(REVOCATIONS)('%s: a second time revokes none without an error', (_, request) => {
    const ledger = ledgerWithTokens();
    ledger.submit(request, MOMENT);
    expect(revokedBy(ledger.submit(request, afterDays(3)))).toBe(0);
  });

  test.each(REVOCATIONS)('%s: works while the holder is locked', (_, request, tokens) => {
    const ledger = ledgerWithTokens();
    ledger.submit(byHolder(lockBEO), MOMENT);
    expect(revokedBy(ledger.submit(request, MOMENT))).toBe(tokens.length);
    expect(ledger.find('BEO', MARIA)?.status).toBe('LOCKED');
  });

  test.each([
    ['LOCKED', 2],
    ['SUSPENDED', 2],
    ['REVOKED', 0],
    ['DESTROYED', 0],
  ] as const satisfies [IeoStatus, number][])('of a grantee that is %s: %s of 2', (state, count) => {
    const ledger = ledgerWithTokens();
    setStatus(ledger, state, at(5));
    expect(revokedBy(ledger.submit(revokeFrom(LAB), MOMENT))).toBe(count);
    expect(revokedBy(ledger.submit(revokeAll, MOMENT))).toBe(2);
    const statuses = ['lab reads', 'lab submits', 'expired'].map((id) => statusOf(ledger, id, MOMENT));
    expect(statuses).toEqual(['REVOKED', 'REVOKED', count === 0 ? 'REVOKED' : 'EXPIRED']);
  });

  test('a token is revoked only before its expiry', () => {
    for (const [ms, count] of [
      [-1, 1],
      [0, 0],
    ] as const) {
      const ledger = ledgerWith();
      ledger.submit(consentGrant({ expiresInDays: 1 }), afterDays(0));
      expect(revokedBy(ledger.submit(revokeAll, afterDays(1, ms)))).toBe(count);
    }
  });

  test('is rejected for a destroyed holder', () => {
    const ledger = ledgerWithTokens();
    ledger.submit(byHolder(destroyBEO), at(3));
    for (const [, request] of REVOCATIONS) expect(code(ledger, request, MOMENT)).toBe('BEO_DESTROYED');
  });
});

describe('the end of a party', () => {
  test('of the holder ends every token and removes the holder’s domain from it', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(1));
    ledger.submit(consentGrant({ grantee: MARIA }, 'own'), at(1));
    const changed = ledger.submit(byHolder(destroyBEO), at(2));
    for (const id of ['token', 'own']) {
      expect(statusOf(ledger, id, at(2))).toBe('REVOKED');
      expect(requireEntity(ledger, 'TOKEN', id).seq).toBeLessThan(changed.seq);
    }
    const [beo, grantee] = [ledger.find('BEO', MARIA), ledger.find('IEO', LAB)];
    if (!beo || !grantee) throw new Error('A party is missing.');
    const view = tokenView(requireEntity(ledger, 'TOKEN'), { beo, grantee }, 'ACCEPTED', Date.parse(at(2)));
    const revoked = { beo_id: MARIA, beo_domain: null, revoked_at: at(2), ledger: { seq: changed.seq } };
    expect(view).toMatchObject({ ...revoked, status: 'REVOKED' });
    expect(JSON.stringify(view)).not.toContain('maria.bsp');
  });

  test('a new holder of the domain gets no tokens of the old one', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(1));
    ledger.submit(byHolder(destroyBEO), at(2));
    ledger.submit(beoCreation({ domain: 'maria.bsp' }, 'successor'), at(12));
    expect(revokedBy(ledger.submit(byHolder(revokeAllTokens, {}, 'successor'), at(13)))).toBe(0);
    ledger.submit(consentGrant({ holder: 'successor' }, 'new'), at(14));
    expect(['token', 'new'].map((id) => statusOf(ledger, id, at(14)))).toEqual(['REVOKED', 'ACTIVE']);
  });

  test('of an institution ends only its tokens', () => {
    for (const state of ['REVOKED', 'DESTROYED'] as const) {
      const ledger = ledgerWith();
      ledger.submit(ieoCreation({}, 'clinic'), at(0));
      ledger.submit(consentGrant(), at(1));
      ledger.submit(consentGrant({ grantee: 'clinic' }, 'other'), at(1));
      setStatus(ledger, state, at(2));
      expect(['token', 'other'].map((id) => statusOf(ledger, id, at(2)))).toEqual(['REVOKED', 'ACTIVE']);
    }
  });

  test('a revoked token stays revoked when its institution is reinstated', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(1));
    setStatus(ledger, 'SUSPENDED', at(2));
    ledger.submit(withdrawal(), at(3));
    decide(ledger, 'reinstateIEO', at(4));
    expect(statusOf(ledger, 'token', at(5))).toBe('REVOKED');
  });
});

test('the responses have the members of protocol §4', () => {
  const ledger = ledgerWith();
  const token = { token_id: 'token', beo_domain: 'maria.bsp', ieo_domain: 'lab.bsp', status: 'ACTIVE' };
  expect(answerOf(ledger, consentGrant(), at(1))).toMatchObject({
    token: { ...token, ledger: { seq: 3, status: 'ACCEPTED' } },
  });
  expect(answerOf(ledger, consentGrant({ grantee: MARIA }, 'own'), at(1))).toMatchObject({
    token: { token_id: 'own', ieo_id: MARIA, ieo_domain: 'maria.bsp' },
  });
  expect(answerOf(ledger, withdrawal(), at(2))).toEqual({ token_id: 'token', revoked_at: at(2) });
  expect(answerOf(ledger, revokeAll, at(3))).toEqual({ revoked_count: 1 });
});
