import { describe, expect, test } from 'vitest';
import type { Answer } from '../_session/post.ts';
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
const refused = (code: string, details: Record<string, string | number> = {}): Answer => ({
  ok: false,
  code,
  status: 410,
  details,
  clockSkew: 0,
});

describe('the status of a request for recovery', () => {
  test('is unknown while there is no request', () => {
    expect(statusOf({ ...kept, request: null }, { identity: identity(), links: null, at })).toBe(null);
  });

  test('is open with no confirmation while no read shows it', () => {
    const status = statusOf(kept, { identity: identity(), links: null, at });
    expect(status).toEqual({ kind: 'open', confirmations: 0, rival: 0, keyChanged: false });
    expect(visibility(kept, identity())).toBe('plain');
  });

  test('comes from the identity; the links tell who confirmed', () => {
    const seen = identity({ active_recovery: request('ours', NEW, 1) });
    expect(statusOf(kept, { identity: seen, links: null, at })).toMatchObject({ confirmations: 1, rival: 0 });
    expect(visibility(kept, seen)).toBe('partial');
  });

  test('comes from our own links where another request is ahead', () => {
    const seen = identity({ active_recovery: request('theirs', OTHER, 1) });
    const links = [
      { state: 'confirmed', confirmations: 1 },
      { state: 'open', confirmations: 1 },
    ] as const;
    expect(visibility(kept, seen)).toBe('hidden');
    expect(statusOf(kept, { identity: seen, links, at })).toMatchObject({ confirmations: 1, rival: 1 });
  });

  test('has no rival in an earlier request for the same key', () => {
    const seen = identity({ active_recovery: request('ours before', NEW, 1) });
    expect(statusOf(kept, { identity: seen, links: [], at })).toMatchObject({ confirmations: 0, rival: 0 });
  });

  test('is done when the identity has our key, whichever request it was and however late', () => {
    const seen = identity({ public_key: NEW });
    expect(statusOf(kept, { identity: seen, links: null, at: at + 1e9 })).toEqual({ kind: 'recovered' });
    expect(visibility(kept, seen)).toBe('plain');
  });

  test('stays open when a thief has changed the key, and ends when another recovery was executed', () => {
    const seen = identity({ public_key: OTHER });
    const open = [{ state: 'open', confirmations: 0 }] as const;
    expect(visibility(kept, seen)).toBe('hidden');
    expect(statusOf(kept, { identity: seen, links: open, at })).toMatchObject({ kind: 'open', keyChanged: true });
    const closed = [{ state: 'closed', confirmations: null }] as const;
    expect(statusOf(kept, { identity: seen, links: closed, at })).toEqual({ kind: 'overtaken' });
  });

  test('expires by the time of the server', () => {
    const read = { identity: identity(), links: null };
    expect(statusOf(kept, { ...read, at: Date.parse(EXPIRES) - 1 })).toMatchObject({ kind: 'open' });
    expect(statusOf(kept, { ...read, at: Date.parse(EXPIRES) })).toEqual({ kind: 'expired' });
  });

  test('is destroyed when the identity has ended', () => {
    expect(statusOf(kept, { identity: null, links: null, at })).toEqual({ kind: 'destroyed' });
  });
});

describe('a response about a link', () => {
  test.each([
    [{ ok: true, body: { confirmations: 1 } } as const, { state: 'open', confirmations: 1 }],
    [refused('LINK_USED', { confirmations: 1 }), { state: 'confirmed', confirmations: 1 }],
    [refused('REQUEST_CLOSED'), { state: 'closed', confirmations: null }],
    [refused('LINK_EXPIRED'), { state: 'expired', confirmations: null }],
    [refused('LINK_EXPIRED', { reason: 'SUPERSEDED' }), { state: 'superseded', confirmations: null }],
    [refused('LINK_EXPIRED', { reason: 'DESTROYED' }), { state: 'unknown', confirmations: null }],
    [refused('LINK_EXPIRED', { reason: 'RESTORED' }), { state: 'unknown', confirmations: null }],
    [refused('LINK_NOT_FOUND'), { state: 'unknown', confirmations: null }],
    [refused('RATE_LIMITED'), null],
    [refused('UNREACHABLE'), null],
  ])('%j means %j', (answer, status) => {
    expect(linkStatusOf(answer)).toEqual(status);
  });
});

describe('a response about an identity', () => {
  const answered = (beo: object) => identityIn({ ok: true, body: JSON.parse(JSON.stringify({ beo })) });

  test('is the identity, or that it has ended', () => {
    const active = request('ours', NEW, 1);
    expect(answered({ public_key: OLD, status: 'LOCKED', active_recovery: null })).toEqual(
      identity({ status: 'LOCKED' }),
    );
    expect(answered({ public_key: OLD, status: 'ACTIVE', active_recovery: active })).toEqual(
      identity({ active_recovery: active }),
    );
    expect(answered({ public_key: null, status: 'DESTROYED' })).toBe(null);
    expect(identityIn(refused('BEO_NOT_FOUND'))).toBe(null);
  });

  test('is ignored in any other form', () => {
    for (const beo of [{}, { public_key: 7, status: 'ACTIVE' }, { public_key: OLD, status: 'NEW' }]) {
      expect(answered(beo)).toBe(undefined);
    }
    expect(identityIn(refused('RATE_LIMITED'))).toBe(undefined);
  });
});

describe('the pause before the next poll', () => {
  test('grows with each failure up to a minute, and is never shorter than the server asks for', () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((failures) => pause({ failures, links: false, wait: 0 }));
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(pause({ failures: 1, links: false, wait: 42_000 })).toBe(42_000);
  });

  test('is longer where each poll takes several reads', () => {
    expect(pause({ failures: 0, links: true, wait: 0 })).toBe(15_000);
  });
});
