import { describe, expect, test } from 'vitest';
import type { KeptRecovery } from './kept-recovery.ts';
import { beginning, type Event, type Progress, progressedFor, type Screen, screenFor } from './progress.ts';
import type { Identity } from './situation.ts';

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];
const EXPIRES = '2026-02-03T12:00:00.000Z';
const at = Date.parse(EXPIRES) - 3_600_000;

const identity = {
  beo_id: 'beo',
  domain: 'maria.bsp',
  public_key: OLD,
  status: 'ACTIVE',
  active_recovery: null,
} as unknown as Identity;
const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: NEW,
} as const;
const request = { requestId: 'ours', expiresAt: EXPIRES, links: [] };
const begun: KeptRecovery = {
  beoId: 'beo',
  domain: 'maria.bsp',
  publicKey: NEW,
  formerKey: OLD,
  request: null,
  recovered: false,
};

const reached = (...events: Event[]): Progress => events.reduce(progressedFor(identity), beginning(identity));
const nothing: Event = { type: 'remembered', kept: null, key: null, saved: false, at };
const made: Event = { type: 'made', kept: begun, key, saved: false, forgetful: false };
const requested: Event = { type: 'requested', request };
const sight = (public_key: string, confirmations = 0, of = { id: 'ours', key: NEW }): Event => ({
  type: 'seen',
  sight: {
    identity: {
      public_key,
      status: 'ACTIVE',
      active_recovery:
        confirmations > 0
          ? {
              request_id: of.id,
              new_public_key: of.key,
              confirmations,
              confirmations_needed: 2,
              expires_at: EXPIRES,
            }
          : null,
    },
    links: null,
    at,
  },
});

const EVERY = [null, 'found', 'what', 'key', 'ask', 'links', 'words', 'watch', 'done', 'consents', 'loading', 'x'];
const screens = (progress: Progress) => new Set(EVERY.map((asked) => screenFor(asked, progress)));

describe('recovering an identity', () => {
  test('shows what needs nothing before the browser was asked, and waits with the rest', () => {
    const before = beginning(identity);
    expect([null, 'what', 'x'].map((asked) => screenFor(asked, before))).toEqual(['found', 'what', 'found']);
    expect(['key', 'links', 'done'].map((asked) => screenFor(asked, before))).toEqual(Array(3).fill('loading'));
  });

  test('comes to the question only with a key that is kept', () => {
    expect(screens(reached(nothing))).toEqual(new Set<Screen>(['found', 'what', 'key', 'open']));
    expect(screens(reached(nothing, made))).toEqual(new Set<Screen>(['found', 'what', 'key', 'open']));
    expect(screenFor('ask', reached(nothing, made, { type: 'saved' }))).toBe('ask');
    expect(screenFor('links', reached(nothing, made, { type: 'saved' }))).toBe('ask');
    expect(screenFor('ask', reached(nothing, { type: 'saved' }))).toBe('key');
  });

  test('comes to links and words only once they are there, and back to them after a reload', () => {
    const waiting = reached(nothing, made, { type: 'saved' }, requested);
    const kept = { ...begun, request };
    const reloaded = reached({ type: 'remembered', kept, key, saved: true, at });
    for (const progress of [waiting, reloaded]) {
      expect(['links', 'words', 'watch'].map((asked) => screenFor(asked, progress))).toEqual([
        'links',
        'words',
        'watch',
      ]);
      expect([null, 'found', 'done', 'x'].map((asked) => screenFor(asked, progress))).toEqual(Array(4).fill('watch'));
    }
  });

  test('says how it ended, whichever screen was open, and can be begun again with the same key', () => {
    const late = { type: 'remembered', kept: { ...begun, request }, key, saved: true, at: at + 1e8 } as const;
    const expired = reached(late);
    expect(expired.standing).toEqual({ kind: 'expired' });
    expect(['links', 'words', 'watch', null].map((asked) => screenFor(asked, expired))).toEqual(Array(4).fill('watch'));
    expect(screenFor('ask', expired)).toBe('ask');
    const again = reached(late, { type: 'requested', request: { ...request, requestId: 'second' } });
    expect(again.kept).toMatchObject({ publicKey: NEW, request: { requestId: 'second' } });
    expect(screenFor('links', again)).toBe('links');
  });

  test('counts confirmations as they arrive, and never backwards', () => {
    const once = reached(nothing, made, requested, sight(OLD, 1));
    expect(once.standing).toMatchObject({ kind: 'open', confirmations: 1 });
    expect(progressedFor(identity)(once, sight(OLD)).standing).toMatchObject({ confirmations: 1 });
  });

  test('does not forget another request that the own one hides', () => {
    const before = reached(nothing, made, requested, sight(OLD, 1, { id: 'theirs', key: 'c'.repeat(64) }));
    expect(before.standing).toMatchObject({ confirmations: 0, rival: 1 });
    expect(progressedFor(identity)(before, sight(OLD, 1)).standing).toMatchObject({ confirmations: 1, rival: 1 });
  });

  test('measures a change of the key from the last request on', () => {
    const changed = reached(nothing, made, requested, sight('d'.repeat(64)));
    expect(changed.standing).toMatchObject({ keyChanged: true });
    const again = [requested, sight('d'.repeat(64))].reduce(progressedFor(identity), changed);
    expect(again.standing).toMatchObject({ keyChanged: false });
  });

  test('is done when the identity has the new key, and cannot be gone back from', () => {
    const done = reached(nothing, made, requested, sight(NEW));
    expect(screens(done)).toEqual(new Set<Screen>(['done', 'consents']));
    const later = reached({
      type: 'remembered',
      kept: { ...begun, publicKey: OLD, recovered: true },
      key,
      saved: true,
      at,
    });
    expect(screenFor(null, later)).toBe('done');
  });

  test('stops when the server names other words than the key has', () => {
    const progress = reached(nothing, made, { type: 'saved' }, { type: 'sending' }, { type: 'mismatch' });
    for (const asked of [null, 'key', 'ask', 'links', 'watch']) expect(screenFor(asked, progress)).toBe('mismatch');
  });

  test('keeps the key when the answer is a refusal', () => {
    const refused = reached(nothing, made, { type: 'saved' }, { type: 'refused', code: 'UNREACHABLE' });
    expect(refused).toMatchObject({ key, saved: true, sending: false, refused: 'UNREACHABLE' });
    expect(screenFor('ask', refused)).toBe('ask');
  });

  test('is not needed by somebody who finds the key', () => {
    expect(screenFor('open', reached(nothing))).toBe('open');
    expect(screenFor('consents', reached(nothing))).toBe('open');
    expect(screens(reached(nothing, { type: 'held', key }))).toEqual(new Set<Screen>(['done', 'consents']));
  });

  test('asks for the new key where this browser has lost it, and not for another', () => {
    const lost = reached({ type: 'remembered', kept: { ...begun, request }, key: null, saved: false, at });
    expect(screenFor('words', lost)).toBe('words');
    expect(screenFor('ask', lost)).toBe('key');
    const opened = progressedFor(identity)(lost, { type: 'opened', key, kept: { ...begun, request } });
    expect(screenFor('ask', opened)).toBe('ask');
  });
});
