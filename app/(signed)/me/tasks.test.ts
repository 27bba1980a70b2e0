import { describe, expect, test } from 'vitest';
import type { BeoView } from '../../../protocol/entities/beo.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { GUARDIAN_ROLES } from '../../../protocol/ids.ts';
import { guardiansStatusOf } from './guardians/status.ts';
import { isNew, tasksOf } from './tasks.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
const OWN_KEY = 'the holder’s key';

type Guardian = { status: 'PENDING' | 'EXPIRED' | 'ACTIVE' | 'REMOVED'; confirmed?: boolean; added_at?: string };

interface Told {
  status?: BeoView['status'];
  guardians?: readonly Guardian[];
  enabled?: boolean;
  required?: boolean;
  active?: { new_public_key: string; confirmations: number } | null;
  consents?: readonly TokenView[];
}

function factsOf(told: Told) {
  const { status = 'ACTIVE', guardians = [], enabled = true, required = true, active = null, consents = [] } = told;
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
  return { view, keptKey: OWN_KEY, guardiansStatus: guardiansStatusOf(view.recovery, false), consents, now: NOW };
}

const told = (facts: Told) => tasksOf(factsOf(facts));
const kinds = (facts: Told) => told(facts).map(({ kind }) => kind);

const CONFIRMED = { status: 'ACTIVE', confirmed: true } as const;
const SAFE = { guardians: [CONFIRMED, CONFIRMED] };

const consent = (id: string, more: Partial<TokenView> = {}) =>
  ({
    token_id: id,
    beo_id: 'the holder',
    ieo_id: 'a clinic',
    status: 'ACTIVE',
    expires_at: at(24 * 100),
    scope: { intents: ['READ_RECORDS'], categories: ['BSP-GL'], levels: [], period: null, max_records: null },
    ...more,
  }) as unknown as TokenView;

const EVERYTHING = { intents: ['READ_RECORDS'], categories: ['*'], levels: [], period: null, max_records: null };
const WIDE = { expires_at: null, scope: EVERYTHING } as unknown as Partial<TokenView>;

describe('what matters to a holder', () => {
  test('is nothing where two confirmed guardians count and consents are narrow and have an end', () => {
    expect(told({ ...SAFE, consents: [consent('one')] })).toEqual([]);
  });

  test('is in the order of urgency', () => {
    const consents = [
      consent('wide', WIDE),
      consent('later', { expires_at: at(100) }),
      consent('sooner', { expires_at: at(2) }),
    ];
    const guardians = [
      { status: 'ACTIVE' },
      { status: 'PENDING', added_at: at(-60) },
      { status: 'EXPIRED', added_at: at(-80) },
    ] as const;
    const active = { new_public_key: 'another', confirmations: 1 };
    expect(told({ guardians, consents, active, required: false })).toMatchObject([
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

  test('is not a recovery that is for the key of this browser', () => {
    expect(kinds({ ...SAFE, active: { new_public_key: OWN_KEY, confirmations: 1 } })).toEqual([]);
    expect(kinds({ ...SAFE, active: { new_public_key: 'another', confirmations: 1 } })).toEqual(['recovery']);
  });

  test('of a locked identity is the lock, and nothing that the lock refuses', () => {
    const guardians = [{ status: 'ACTIVE' }, { status: 'EXPIRED' }] as const;
    const active = { new_public_key: 'another', confirmations: 1 };
    expect(
      told({ status: 'LOCKED', required: false, guardians, active, consents: [consent('wide', WIDE)] }),
    ).toMatchObject([{ kind: 'recovery' }, { kind: 'locked', since: at(-1) }, { kind: 'wide' }]);
  });

  test('of a destroyed identity is nothing', () => {
    expect(kinds({ status: 'DESTROYED', consents: [consent('wide', WIDE)] })).toEqual([]);
  });

  test('is to require confirmed guardians, where that was never done', () => {
    expect(told({ ...SAFE, required: false })).toEqual([{ kind: 'require' }]);
  });

  test('is that fewer than two guardians count, or none as recovery is turned off', () => {
    expect(told({})).toEqual([{ kind: 'unready', readiness: 'none' }]);
    expect(told({ guardians: [CONFIRMED] })).toEqual([{ kind: 'unready', readiness: 'one' }]);
    expect(told({ ...SAFE, enabled: false })).toEqual([{ kind: 'unready', readiness: 'off' }]);
  });

  test('is whoever accepted and is not confirmed, even where enough others are', () => {
    const guardians = [CONFIRMED, CONFIRMED, { status: 'ACTIVE' }] as const;
    expect(told({ guardians })).toEqual([{ kind: 'confirm', roles: ['tertiary'] }]);
    const both = [{ status: 'ACTIVE' }, { status: 'ACTIVE' }] as const;
    const confirm = { kind: 'confirm', roles: ['primary', 'secondary'] };
    expect(told({ guardians: both })).toEqual([confirm, { kind: 'unready', readiness: 'none' }]);
    expect(told({ guardians: both, required: false })).toEqual([confirm, { kind: 'require' }]);
  });

  test('is a link from a day before it runs out', () => {
    const invited = (hours: number) => ({
      guardians: [CONFIRMED, CONFIRMED, { status: 'PENDING', added_at: at(hours) }] as const,
    });
    expect(kinds(invited(-47))).toEqual([]);
    expect(kinds(invited(-49))).toEqual(['linkEnds']);
  });

  test('is a consent from a week before it ends', () => {
    const ending = (hours: number) => kinds({ ...SAFE, consents: [consent('one', { expires_at: at(hours) })] });
    expect(ending(7 * 24 + 1)).toEqual([]);
    expect(ending(7 * 24 - 1)).toEqual(['consentEnds']);
  });

  test('is a consent that lets somebody read everything without an end, no other', () => {
    const only = (more: Partial<TokenView>) => kinds({ ...SAFE, consents: [consent('one', more)] });
    expect(only(WIDE)).toEqual(['wide']);
    expect(only({ ...WIDE, expires_at: at(24 * 365) })).toEqual([]);
    expect(only({ ...WIDE, scope: { ...EVERYTHING, intents: ['SUBMIT_RECORD'] } as never })).toEqual([]);
    expect(only({ expires_at: null })).toEqual([]);
  });

  test('is no consent that has ended, and none to oneself', () => {
    for (const status of ['REVOKED', 'EXPIRED'] as const) {
      expect(kinds({ ...SAFE, consents: [consent('one', { ...WIDE, status })] })).toEqual([]);
    }
    const own = { ...WIDE, ieo_id: 'the holder' } as unknown as Partial<TokenView>;
    expect(kinds({ ...SAFE, consents: [consent('own', own)] })).toEqual([]);
  });
});

test('an identity is new until somebody was invited or a consent was given', () => {
  expect(isNew(factsOf({}))).toBe(true);
  expect(isNew(factsOf({ consents: [consent('one', { status: 'REVOKED' })] }))).toBe(false);
  for (const status of ['PENDING', 'EXPIRED', 'ACTIVE', 'REMOVED'] as const) {
    expect(isNew(factsOf({ guardians: [{ status }] }))).toBe(false);
  }
});
