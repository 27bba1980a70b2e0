import { describe, expect, test } from 'vitest';
import type { BeoView } from '../../../protocol/entities/beo.ts';
import { GUARDIAN_ROLES } from '../../../protocol/entities/guardian.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { guardiansStatusOf } from './guardians/status.ts';
import { isNew, nextStepOf, tasksOf } from './tasks.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const OWN_KEY = 'the holder’s key';

type Guardian = {
  status: 'PENDING' | 'EXPIRED' | 'ACTIVE' | 'REMOVED';
  confirmed?: boolean;
  added_at?: string;
  accepted_at?: string;
};

interface Given {
  status?: BeoView['status'];
  guardians?: readonly Guardian[];
  enabled?: boolean;
  required?: boolean;
  active?: { new_public_key: string; confirmations: number } | null;
  consents?: readonly TokenView[];
  attested?: ReadonlyMap<string, { on: string | null }>;
}

function inputOf(given: Given) {
  const { attested = new Map() } = given;
  const { status = 'ACTIVE', guardians = [], enabled = true, required = true, active = null, consents = [] } = given;
  const view = {
    beo_id: 'the holder',
    status,
    public_key: OWN_KEY,
    locked_at: status === 'LOCKED' ? at(-1) : null,
    active_recovery: active && { request_id: '', confirmations_needed: 2, expires_at: at(70), ...active },
    recovery: {
      enabled,
      threshold: 2,
      confirmed_only: required,
      guardians: guardians.map((guardian, index) => ({
        guardian_id: String(index),
        role: GUARDIAN_ROLES[index],
        confirmed: false,
        added_at: at(-1),
        ...guardian,
      })),
    },
  } as unknown as BeoView;
  return {
    view,
    keptKey: OWN_KEY,
    guardiansStatus: guardiansStatusOf(view.recovery, false),
    consents,
    attested,
    now: NOW,
  };
}

const tasks = (given: Given) => tasksOf(inputOf(given));
const kinds = (given: Given) => tasks(given).map(({ kind }) => kind);

const CONFIRMED = { status: 'ACTIVE', confirmed: true } as const;
const SAFE = { guardians: [CONFIRMED, CONFIRMED] };

const consent = (id: string, more: Partial<TokenView> = {}) =>
  ({
    token_id: id,
    beo_id: 'the holder',
    ieo_id: 'a clinic',
    status: 'ACTIVE',
    granted_at: at(-24 * 30),
    expires_at: at(24 * 100),
    scope: { intents: ['READ_RECORDS'], categories: ['BSP-GL'], levels: [], period: null, max_records: null },
    ...more,
  }) as unknown as TokenView;

const EVERYTHING = { intents: ['READ_RECORDS'], categories: ['*'], levels: [], period: null, max_records: null };
const WIDE = { expires_at: null, scope: EVERYTHING } as unknown as Partial<TokenView>;

describe('the tasks of a holder', () => {
  test('are none with two confirmed guardians, and consents that are narrow and end', () => {
    expect(tasks({ ...SAFE, consents: [consent('one')] })).toEqual([]);
  });

  test('are in the order of urgency', () => {
    const consents = [
      consent('wide', WIDE),
      consent('later', { granted_at: at(-1_000), expires_at: at(100) }),
      consent('sooner', { expires_at: at(2) }),
    ];
    const guardians = [
      { status: 'ACTIVE' },
      { status: 'PENDING', added_at: at(-60) },
      { status: 'EXPIRED', added_at: at(-80) },
    ] as const;
    const active = { new_public_key: 'another', confirmations: 1 };
    expect(tasks({ guardians, consents, active, required: false })).toMatchObject([
      { kind: 'recovery', missing: 1, ends: at(70) },
      { kind: 'confirm', roles: ['primary'] },
      { kind: 'unready', readiness: 'one' },
      { kind: 'require' },
      { kind: 'linkEnds', role: 'secondary', ends: at(12) },
      { kind: 'lapsed', role: 'tertiary' },
      { kind: 'consentEnds', consent: { token_id: 'sooner' } },
      { kind: 'consentEnds', consent: { token_id: 'later' } },
      { kind: 'wide', consent: { token_id: 'wide' } },
    ]);
  });

  test('include a recovery request only for another key than this browser’s', () => {
    expect(kinds({ ...SAFE, active: { new_public_key: OWN_KEY, confirmations: 1 } })).toEqual([]);
    expect(kinds({ ...SAFE, active: { new_public_key: 'another', confirmations: 1 } })).toEqual(['recovery']);
  });

  test('of a locked identity are the lock, and nothing that the lock prevents', () => {
    const guardians = [{ status: 'ACTIVE' }, { status: 'EXPIRED' }] as const;
    const active = { new_public_key: 'another', confirmations: 1 };
    expect(
      tasks({ status: 'LOCKED', required: false, guardians, active, consents: [consent('wide', WIDE)] }),
    ).toMatchObject([{ kind: 'recovery' }, { kind: 'locked', since: at(-1) }, { kind: 'wide' }]);
  });

  test('of a destroyed identity are none', () => {
    expect(kinds({ status: 'DESTROYED', consents: [consent('wide', WIDE)] })).toEqual([]);
  });

  test('include requiring confirmed guardians until that is done', () => {
    expect(tasks({ ...SAFE, required: false })).toEqual([{ kind: 'require' }]);
  });

  test('report fewer than two eligible guardians, and recovery that is turned off', () => {
    expect(tasks({})).toEqual([{ kind: 'unready', readiness: 'none' }]);
    expect(tasks({ guardians: [CONFIRMED] })).toEqual([{ kind: 'unready', readiness: 'one' }]);
    expect(tasks({ ...SAFE, enabled: false })).toEqual([{ kind: 'unready', readiness: 'off' }]);
  });

  test('list each guardian who accepted but is not confirmed', () => {
    const guardians = [CONFIRMED, CONFIRMED, { status: 'ACTIVE' }] as const;
    expect(tasks({ guardians })).toEqual([{ kind: 'confirm', roles: ['tertiary'] }]);
    const both = [{ status: 'ACTIVE' }, { status: 'ACTIVE' }] as const;
    const confirm = { kind: 'confirm', roles: ['primary', 'secondary'] };
    expect(tasks({ guardians: both })).toEqual([confirm, { kind: 'unready', readiness: 'none' }]);
    expect(tasks({ guardians: both, required: false })).toEqual([confirm, { kind: 'require' }]);
  });

  test('list the guardians who have not checked their keys for half a year, once that is read', () => {
    const [long, lately] = [at(-24 * 200), at(-24 * 100)];
    const guardians = [long, long, lately].map((accepted_at) => ({ ...CONFIRMED, accepted_at }));
    const never = { on: null };
    expect(tasks({ guardians })).toEqual([]);
    const attested = new Map<string, { on: string | null }>([
      ['0', never],
      ['1', { on: lately.slice(0, 10) }],
      ['2', never],
    ]);
    expect(tasks({ guardians, attested })).toEqual([{ kind: 'unchecked', roles: ['primary'] }]);
  });

  test('list an invitation from a day before it expires', () => {
    const invited = (hours: number) => ({
      guardians: [CONFIRMED, CONFIRMED, { status: 'PENDING', added_at: at(hours) }] as const,
    });
    expect(kinds(invited(-47))).toEqual([]);
    expect(kinds(invited(-49))).toEqual(['linkEnds']);
  });

  test('list a consent in the last tenth of its life', () => {
    const ending = (hours: number) =>
      kinds({ ...SAFE, consents: [consent('one', { granted_at: at(hours - 24 * 90), expires_at: at(hours) })] });
    expect(ending(9 * 24 + 1)).toEqual([]);
    expect(ending(9 * 24 - 1)).toEqual(['consentEnds']);
  });

  test('list a consent to read everything without an end', () => {
    const only = (more: Partial<TokenView>) => kinds({ ...SAFE, consents: [consent('one', more)] });
    expect(only(WIDE)).toEqual(['wide']);
    expect(only({ ...WIDE, expires_at: at(24 * 365) })).toEqual([]);
    expect(only({ ...WIDE, scope: { ...EVERYTHING, intents: ['SUBMIT_RECORD'] } as never })).toEqual([]);
    expect(only({ expires_at: null })).toEqual([]);
  });

  test('leave out consents that have ended, and the holder’s own', () => {
    for (const status of ['REVOKED', 'EXPIRED'] as const) {
      expect(kinds({ ...SAFE, consents: [consent('one', { ...WIDE, status })] })).toEqual([]);
    }
    const own = { ...WIDE, ieo_id: 'the holder' } as unknown as Partial<TokenView>;
    expect(kinds({ ...SAFE, consents: [consent('own', own)] })).toEqual([]);
  });
});

test('an identity is new until it has an invitation or a consent to someone else', () => {
  expect(isNew(inputOf({}))).toBe(true);
  expect(isNew(inputOf({ consents: [consent('own', { ieo_id: 'the holder' as never })] }))).toBe(true);
  expect(isNew(inputOf({ consents: [consent('one', { status: 'REVOKED' })] }))).toBe(false);
  for (const status of ['PENDING', 'EXPIRED', 'ACTIVE', 'REMOVED'] as const) {
    expect(isNew(inputOf({ guardians: [{ status }] }))).toBe(false);
  }
});

test('the next step is what is most useful at any age, and none while an urgent task waits or nothing is left', () => {
  const next = (given: Given) => nextStepOf(inputOf(given));
  const given = { consents: [consent('one')] };
  expect(next({})).toBe('guardians');
  expect(next(SAFE)).toBe('consent');
  expect(next({ ...SAFE, ...given })).toBe('third');
  expect(next({ guardians: [CONFIRMED, CONFIRMED, CONFIRMED], ...given })).toBe(null);
  expect(next({ ...SAFE, consents: [consent('one', { status: 'EXPIRED' })] })).toBe('third');
  expect(next({ ...SAFE, consents: [consent('one', WIDE)] })).toBe('third');
  expect(next({ guardians: [CONFIRMED], ...given })).toBe(null);
  expect(next({ ...SAFE, ...given, status: 'LOCKED' })).toBe(null);
  expect(next({ status: 'DESTROYED' })).toBe(null);
  const practising = (given: Given) => nextStepOf({ ...inputOf(given), offersPractice: true });
  expect(practising({ ...SAFE, ...given })).toBe('practise');
  expect(practising({ guardians: [CONFIRMED, { status: 'ACTIVE' }], required: false, ...given })).toBe(null);
  const offering = (given: Given) => nextStepOf({ ...inputOf(given), offersAlerts: true });
  expect([offering({}), offering(SAFE), offering({ ...SAFE, status: 'LOCKED' })]).toEqual([
    'guardians',
    'alerts',
    null,
  ]);
});
