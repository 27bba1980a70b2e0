import { describe, expect, test } from 'vitest';
import type { Beo } from '../../client/types.ts';
import type { Answered } from '../_session/send.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import { type IdentityState, identityIn, linkStatusOf, pause, statusOf, visibility } from './request-status.ts';

const [OLD, NEW, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const EXPIRES = '2026-02-03T12:00:00.000Z';
const at = Date.parse(EXPIRES) - 3_600_000;

const kept: KeptRecovery = {
  beoId: 'beo',
  domain: 'maria.bsp',
  publicKey: NEW,
  formerKey: OLD,
  request: { requestId: 'ours', expiresAt: EXPIRES, links: [] },
  recovered: false,
};

const request = (request_id: string, new_public_key: string, confirmations: number) => ({
  request_id,
  new_public_key,
  confirmations,
  confirmations_needed: 2,
  expires_at: EXPIRES,
});
const identity = (changes: Partial<IdentityState> = {}): IdentityState => ({
  public_key: OLD,
  status: 'ACTIVE',
  active_recovery: null,
  ...changes,
});
const failed = (code: string, details: Record<string, string | number> = {}): Answered<never> => ({
  ok: false,
  failure: { code, message: '', details },
});

describe('the status of a request for recovery', () => {
  test('is null without a request', () => {
    expect(statusOf({ ...kept, request: null }, { identity: identity(), links: null, at })).toBe(null);
  });

  test('is open without confirmations until a read shows one', () => {
    const status = statusOf(kept, { identity: identity(), links: null, at });
    expect(status).toEqual({ kind: 'open', confirmations: 0, rival: 0, keyChanged: false });
    expect(visibility(kept, { ...identity(), public_key: NEW })).toBe('plain');
  });

  test('is cancelled once a link reports it', () => {
    expect(visibility(kept, identity())).toBe('partial');
    const links = [{ state: 'cancelled', confirmations: null }] as const;
    expect(statusOf(kept, { identity: identity(), links, at })).toEqual({ kind: 'cancelled' });
  });

  test('takes the confirmations from the identity; only the links show who confirmed', () => {
    const current = identity({ active_recovery: request('ours', NEW, 1) });
    expect(statusOf(kept, { identity: current, links: null, at })).toMatchObject({ confirmations: 1, rival: 0 });
    expect(visibility(kept, current)).toBe('partial');
  });

  test('takes the confirmations from our links where another request has more', () => {
    const current = identity({ active_recovery: request('theirs', OTHER, 1) });
    const links = [
      { state: 'confirmed', confirmations: 1 },
      { state: 'open', confirmations: 1 },
    ] as const;
    expect(visibility(kept, current)).toBe('hidden');
    expect(statusOf(kept, { identity: current, links, at })).toMatchObject({ confirmations: 1, rival: 1 });
  });

  test('does not count an earlier request for the same key as a rival', () => {
    const current = identity({ active_recovery: request('ours before', NEW, 1) });
    expect(statusOf(kept, { identity: current, links: [], at })).toMatchObject({ confirmations: 0, rival: 0 });
  });

  test('is recovered once the identity has our key, also after the request expired', () => {
    const current = identity({ public_key: NEW });
    expect(statusOf(kept, { identity: current, links: null, at: at + 1e9 })).toEqual({ kind: 'recovered' });
    expect(visibility(kept, current)).toBe('plain');
  });

  test('stays open after another key change, and is overtaken by another recovery', () => {
    const current = identity({ public_key: OTHER });
    const open = [{ state: 'open', confirmations: 0 }] as const;
    expect(visibility(kept, current)).toBe('hidden');
    expect(statusOf(kept, { identity: current, links: open, at })).toMatchObject({ kind: 'open', keyChanged: true });
    const closed = [{ state: 'closed', confirmations: null }] as const;
    expect(statusOf(kept, { identity: current, links: closed, at })).toEqual({ kind: 'overtaken' });
  });

  test('expires by the server’s clock', () => {
    const read = { identity: identity(), links: null };
    expect(statusOf(kept, { ...read, at: Date.parse(EXPIRES) - 1 })).toMatchObject({ kind: 'open' });
    expect(statusOf(kept, { ...read, at: Date.parse(EXPIRES) })).toEqual({ kind: 'expired' });
  });

  test('is destroyed once the identity is', () => {
    expect(statusOf(kept, { identity: null, links: null, at })).toEqual({ kind: 'destroyed' });
  });
});

describe('a response about a link', () => {
  test.each([
    [{ ok: true, body: { confirmations: 1 } } as const, { state: 'open', confirmations: 1 }],
    [failed('LINK_USED', { confirmations: 1 }), { state: 'confirmed', confirmations: 1 }],
    [failed('REQUEST_CLOSED'), { state: 'closed', confirmations: null }],
    [failed('REQUEST_CLOSED', { cancelled_at: EXPIRES }), { state: 'cancelled', confirmations: null }],
    [failed('LINK_EXPIRED'), { state: 'expired', confirmations: null }],
    [failed('LINK_EXPIRED', { reason: 'SUPERSEDED' }), { state: 'superseded', confirmations: null }],
    [failed('LINK_EXPIRED', { reason: 'DESTROYED' }), { state: 'unknown', confirmations: null }],
    [failed('LINK_EXPIRED', { reason: 'RESTORED' }), { state: 'unknown', confirmations: null }],
    [failed('LINK_NOT_FOUND'), { state: 'unknown', confirmations: null }],
    [failed('RATE_LIMITED'), null],
    [failed('UNREACHABLE'), null],
  ])('%j means %j', (answer, status) => {
    expect(linkStatusOf(answer)).toEqual(status);
  });
});

describe('a response about an identity', () => {
  type Read = Pick<Beo, 'public_key' | 'status' | 'active_recovery'>;
  const identityFrom = (body: Read) => identityIn({ ok: true, body });

  test('is parsed into its state, or null once it is destroyed', () => {
    const active = request('ours', NEW, 1);
    expect(identityFrom({ public_key: OLD, status: 'LOCKED', active_recovery: null })).toEqual(
      identity({ status: 'LOCKED' }),
    );
    expect(identityFrom({ public_key: OLD, status: 'ACTIVE', active_recovery: active })).toEqual(
      identity({ active_recovery: active }),
    );
    expect(identityFrom({ public_key: null, status: 'DESTROYED', active_recovery: null })).toBe(null);
    expect(identityIn(failed('BEO_NOT_FOUND'))).toBe(null);
  });

  test('is undefined after another failure', () => {
    expect(identityIn(failed('RATE_LIMITED'))).toBe(undefined);
  });
});

describe('the pause before the next poll', () => {
  test('doubles with each failure up to a minute, and is at least Retry-After', () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((failures) => pause({ failures, links: false, wait: 0 }));
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(pause({ failures: 1, links: false, wait: 42_000 })).toBe(42_000);
  });

  test('is longer where each poll also reads the links', () => {
    expect(pause({ failures: 0, links: true, wait: 0 })).toBe(15_000);
  });
});
