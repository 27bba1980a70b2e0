import { describe, expect, test } from 'vitest';
import type { BeoId, IeoId, TokenId, TransactionId } from '../ids.ts';
import { tokenProblem } from '../records/token-use.ts';
import type { Beo } from './beo.ts';
import { IEO_STATUSES, IEO_TYPES, type IeoStatus, type IeoType } from './ieo.ts';
import { INTENTS } from './intents.ts';
import {
  hasExpired,
  isLive,
  type Scope,
  type Token,
  type TokenParties,
  tokenState,
  tokenView,
  typeRestriction,
} from './token.ts';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();

const scope: Scope = { intents: ['READ_RECORDS'], categories: ['BSP-CV'], levels: [], period: null, max_records: null };
const token: Token = {
  kind: 'TOKEN',
  id: 'token' as TokenId,
  beoId: 'maria' as BeoId,
  grantee: { kind: 'IEO', id: 'lab' as IeoId },
  grantedAt: at(-100),
  expiresAt: at(10),
  scope,
  scopeKey: 'key',
  revokedAt: null,
  submitted: 0,
  ownerSignature: 'signature',
  tokenHash: 'hash',
  transactionId: 'transaction' as TransactionId,
  seq: 3,
  createdSeq: 3,
};

const BEO_STATUSES: readonly Beo['status'][] = ['ACTIVE', 'LOCKED', 'DESTROYED'];
const ended = (status: string): boolean => status === 'REVOKED' || status === 'DESTROYED';
const holder = (status: Beo['status'] = 'ACTIVE', seq = 7): TokenParties['beo'] => ({
  kind: 'BEO',
  domain: status === 'DESTROYED' ? null : 'maria.bsp',
  status,
  updatedAt: at(-seq),
  seq,
});
const grantee = (status: IeoStatus = 'ACTIVE', seq = 8, ieoType: IeoType = 'LAB'): TokenParties['grantee'] => ({
  kind: 'IEO',
  domain: 'lab.bsp',
  status,
  updatedAt: at(-seq),
  seq,
  ieoType,
});
const parties = (beo = holder(), other: TokenParties['grantee'] = grantee()): TokenParties => ({ beo, grantee: other });

const TOKEN_CHANGES = {
  live: {},
  expired: { expiresAt: at(0) },
  revoked: { revokedAt: at(-50), seq: 5 },
  'revoked and expired': { revokedAt: at(-50), seq: 5, expiresAt: at(-1) },
} as const satisfies Record<string, Partial<Token>>;
const tokenStates = Object.keys(TOKEN_CHANGES) as (keyof typeof TOKEN_CHANGES)[];

const COMBINATIONS = tokenStates.flatMap((state) =>
  BEO_STATUSES.flatMap((beo) => IEO_STATUSES.map((ieo) => [state, beo, ieo] as const)),
);

describe('a token, its holder and its grantee', () => {
  const changed = (state: keyof typeof TOKEN_CHANGES): Token => ({ ...token, ...TOKEN_CHANGES[state] });
  const endedBy = (state: keyof typeof TOKEN_CHANGES, beo: string, ieo: string): boolean =>
    state.startsWith('revoked') || beo === 'DESTROYED' || ended(ieo);

  test.each(COMBINATIONS)(
    'a %s token of a holder who is %s to an institution that is %s: its status',
    (state, beo, ieo) => {
      const { status, revokedAt } = tokenState(changed(state), parties(holder(beo), grantee(ieo)), NOW);
      const expected = endedBy(state, beo, ieo) ? 'REVOKED' : state === 'expired' ? 'EXPIRED' : 'ACTIVE';
      expect(status).toBe(expected);
      expect(revokedAt !== null).toBe(expected === 'REVOKED');
    },
  );

  test.each(COMBINATIONS)(
    'a %s token of a holder who is %s to an institution that is %s: its problem',
    (state, beo, ieo) => {
      const uses = [
        {},
        { intent: 'EXPORT_DATA' },
        { category: 'BSP-GL' },
        { intent: 'EXPORT_DATA', category: 'BSP-GL' },
      ] as const;
      const problems = uses.map((use) => tokenProblem(changed(state), parties(holder(beo), grantee(ieo)), use, NOW));
      const expected = endedBy(state, beo, ieo)
        ? 'TOKEN_REVOKED'
        : state === 'expired'
          ? 'TOKEN_EXPIRED'
          : beo !== 'ACTIVE'
            ? 'BEO_NOT_ACTIVE'
            : ieo !== 'ACTIVE'
              ? 'IEO_NOT_ACTIVE'
              : null;
      expect(problems).toEqual(
        expected
          ? uses.map(() => expected)
          : [null, 'INTENT_NOT_AUTHORIZED', 'CATEGORY_NOT_AUTHORIZED', 'INTENT_NOT_AUTHORIZED'],
      );
    },
  );

  test('is unusable but not revoked while the institution is locked or suspended', () => {
    for (const status of ['LOCKED', 'SUSPENDED'] as const) {
      expect(tokenState(token, parties(holder(), grantee(status)), NOW).status).toBe('ACTIVE');
      expect(tokenProblem(token, parties(holder(), grantee(status)), {}, NOW)).toBe('IEO_NOT_ACTIVE');
    }
    expect(tokenProblem(token, parties(), {}, NOW)).toBeNull();
  });
});

describe('when a token ended', () => {
  const end = (changes: Partial<Token>, beo: TokenParties['beo'], other: TokenParties['grantee']) => {
    const { revokedAt, seq } = tokenState({ ...token, ...changes }, parties(beo, other), NOW);
    return [revokedAt, seq];
  };

  test('is its own revocation, even if a party ended later', () => {
    expect(end({ revokedAt: at(-50), seq: 5 }, holder('DESTROYED'), grantee('REVOKED'))).toEqual([at(-50), 5]);
  });

  test('is the end of its holder or its grantee', () => {
    expect(end({}, holder('DESTROYED', 9), grantee())).toEqual([at(-9), 9]);
    expect(end({}, holder(), grantee('DESTROYED', 9))).toEqual([at(-9), 9]);
    expect(end({}, holder('LOCKED'), grantee('REVOKED', 9))).toEqual([at(-9), 9]);
  });

  test('is the earlier end if both parties ended', () => {
    expect(end({}, holder('DESTROYED', 9), grantee('REVOKED', 12))).toEqual([at(-9), 9]);
    expect(end({}, holder('DESTROYED', 12), grantee('REVOKED', 9))).toEqual([at(-9), 9]);
  });

  test('is null for a live or only expired token', () => {
    expect(end({}, holder(), grantee())).toEqual([null, 3]);
    expect(end({ expiresAt: at(-1) }, holder('LOCKED'), grantee('SUSPENDED'))).toEqual([null, 3]);
  });
});

test('a token expires exactly at expiresAt', () => {
  expect([hasExpired(token, NOW + 10 * HOUR - 1), hasExpired(token, NOW + 10 * HOUR)]).toEqual([false, true]);
  expect(hasExpired({ expiresAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  expect([isLive(token, NOW), isLive({ ...token, revokedAt: at(-1) }, NOW)]).toEqual([true, false]);
  expect(isLive(token, NOW + 10 * HOUR)).toBe(false);
});

describe('the view of a token', () => {
  test('has the members of protocol §3 in snake_case', () => {
    expect(tokenView(token, parties(), 'POSTED', NOW)).toEqual({
      token_id: 'token',
      beo_id: 'maria',
      beo_domain: 'maria.bsp',
      ieo_id: 'lab',
      ieo_domain: 'lab.bsp',
      granted_at: at(-100),
      expires_at: at(10),
      scope: { intents: ['READ_RECORDS'], categories: ['BSP-CV'], levels: [], period: null, max_records: null },
      status: 'ACTIVE',
      revocable: true,
      revoked: false,
      revoked_at: null,
      owner_signature: 'signature',
      token_hash: 'hash',
      arweave_tx: 'transaction',
      version: '1.0.0',
      ledger: { seq: 3, status: 'POSTED' },
    });
  });

  test('has the same members in every state', () => {
    const members = Object.keys(tokenView(token, parties(), 'FINAL', NOW));
    for (const [state, beo, ieo] of COMBINATIONS) {
      const view = tokenView({ ...token, ...TOKEN_CHANGES[state] }, parties(holder(beo), grantee(ieo)), 'FINAL', NOW);
      expect(Object.keys(view)).toEqual(members);
      expect(view.revoked).toBe(view.status === 'REVOKED');
      expect(view.revoked).toBe(view.revoked_at !== null);
    }
  });

  test('has no domain of a destroyed holder, but that of a destroyed institution', () => {
    const view = tokenView(token, parties(holder('DESTROYED'), grantee('DESTROYED')), 'FINAL', NOW);
    expect(view).toMatchObject({ beo_id: 'maria', beo_domain: null, ieo_domain: 'lab.bsp', status: 'REVOKED' });
  });

  test('has the holder as the grantee of a self token', () => {
    const self: Token = { ...token, grantee: { kind: 'BEO', id: 'maria' as BeoId } };
    expect(tokenView(self, parties(holder(), holder()), 'FINAL', NOW)).toMatchObject({
      ieo_id: 'maria',
      ieo_domain: 'maria.bsp',
    });
    expect(tokenState(self, parties(holder(), holder()), NOW).status).toBe('ACTIVE');
    const gone = parties(holder('DESTROYED'), holder('DESTROYED'));
    expect(tokenView(self, gone, 'FINAL', NOW)).toMatchObject({ ieo_domain: null, status: 'REVOKED' });
    const locked = parties(holder('LOCKED'), holder('LOCKED'));
    expect(tokenProblem(self, locked, {}, NOW)).toBe('BEO_NOT_ACTIVE');
  });
});

describe('the scope of a token', () => {
  const problem = (changes: Partial<Scope>, use: Parameters<typeof tokenProblem>[2], type: IeoType = 'LAB') =>
    tokenProblem(
      { ...token, scope: { ...scope, ...changes } },
      parties(holder(), grantee('ACTIVE', 8, type)),
      use,
      NOW,
    );

  test.each(INTENTS)('allows %s only if it is listed', (intent) => {
    expect(problem({ intents: [intent] }, { intent })).toBeNull();
    const others = INTENTS.filter((other) => other !== intent);
    expect(problem({ intents: others }, { intent })).toBe('INTENT_NOT_AUTHORIZED');
  });

  test('covers the listed categories, or all', () => {
    const categories = ['BSP-CV', 'BSP-GL'];
    for (const category of categories) expect(problem({ categories }, { category })).toBeNull();
    expect(problem({ categories }, { category: 'BSP-DV' })).toBe('CATEGORY_NOT_AUTHORIZED');
    for (const category of [...categories, 'BSP-DV']) expect(problem({ categories: ['*'] }, { category })).toBeNull();
  });

  test('with * covers only device data for a wearable', () => {
    const allCategories: Partial<Scope> = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
    const submit = (category: string, type: IeoType) =>
      problem(allCategories, { intent: 'SUBMIT_RECORD', category }, type);
    expect(submit('BSP-DV', 'WEARABLE')).toBeNull();
    expect(submit('BSP-CV', 'WEARABLE')).toBe('CATEGORY_NOT_AUTHORIZED');
    expect(submit('BSP-CV', 'HOSPITAL')).toBeNull();
  });
});

describe('typeRestriction rejects', () => {
  const allowed = (type: IeoType, changes: Partial<Scope>, expires = true): boolean =>
    typeRestriction(type, { ...scope, ...changes }, expires) === null;
  const rejected = (isAllowed: (type: IeoType) => boolean): IeoType[] => IEO_TYPES.filter((type) => !isAllowed(type));

  test('READ_RECORDS for a wearable', () => {
    expect(rejected((type) => allowed(type, { intents: ['EXPORT_DATA', 'READ_RECORDS'] }))).toEqual(['WEARABLE']);
  });

  test('SUBMIT_RECORD for a platform, and beyond device data for a wearable', () => {
    const submit = (categories: string[]) => (type: IeoType) =>
      allowed(type, { intents: ['REQUEST_SCORE', 'SUBMIT_RECORD'], categories });
    expect(rejected(submit(['*']))).toEqual(['PLATFORM']);
    expect(rejected(submit(['BSP-DV']))).toEqual(['PLATFORM']);
    expect(rejected(submit(['BSP-CV']))).toEqual(['WEARABLE', 'PLATFORM']);
    expect(rejected(submit(['BSP-DV', 'BSP-CV']))).toEqual(['WEARABLE', 'PLATFORM']);
  });

  test('a consent without an end for an insurer', () => {
    expect(rejected((type) => allowed(type, { intents: ['REQUEST_SCORE'] }, false))).toEqual(['INSURER']);
  });

  test('nothing else', () => {
    const rest = INTENTS.filter((intent) => intent !== 'READ_RECORDS' && intent !== 'SUBMIT_RECORD');
    expect(rejected((type) => allowed(type, { intents: rest, categories: ['*'] }))).toEqual([]);
  });
});
