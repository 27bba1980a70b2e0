import { describe, expect, test } from 'vitest';
import { derivedIds, ledgerIdOf } from '../../protocol/ids.ts';
import { screenFor } from '../_wizard/step-order.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import { type Event, firstState, next, RECOVER, type State } from './recover-flow.ts';
import type { Identity } from './situation.ts';

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];
const EXPIRES = '2026-02-03T12:00:00.000Z';
const at = Date.parse(EXPIRES) - 3_600_000;

const identity: Identity = {
  beo_id: derivedIds(ledgerIdOf(OLD), 'maria').beoId(),
  domain: 'maria.bsp',
  public_key: OLD,
  status: 'ACTIVE',
  active_recovery: null,
};
const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: NEW,
} as const;
const request = { requestId: 'ours', expiresAt: EXPIRES, links: [] };
const draft: KeptRecovery = {
  beoId: 'beo',
  domain: 'maria.bsp',
  publicKey: NEW,
  formerKey: OLD,
  request: null,
  recovered: false,
};

const resumed = (
  kept: KeptRecovery | null = null,
  changes: { key?: typeof key | null; at?: number } = {},
): Extract<Event, { type: 'resumed' }> => {
  const storedKey = changes.key === undefined && kept ? key : (changes.key ?? null);
  return { type: 'resumed', kept, key: storedKey, hasCopy: storedKey !== null, identity, at: changes.at ?? at };
};
const empty = resumed();
const made: Event = { type: 'keyMade', kept: draft, key, hasCopy: false, stored: true };
const copied: Event = { type: 'copied' };
const sent: Event = { type: 'sent' };
const refused: Event = { type: 'refused', code: 'UNREACHABLE' };
const requested: Event = { type: 'requested', request };
const REQUESTED = [empty, made, copied, sent, requested];
const read = (public_key: string, confirmations = 0, of = { id: 'ours', key: NEW }): Event => ({
  type: 'read',
  read: {
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

const stateAfter = (...events: Event[]): State => events.reduce(next, firstState(identity));
const shown = (requested: string | null, state: State) => screenFor(RECOVER, requested, state);
const statusAfter = (...events: Event[]) => {
  const state = stateAfter(...events);
  return state.at === 'waiting' ? state.status : null;
};

const ALL_STEPS = [null, 'found', 'what', 'key', 'ask', 'links', 'words', 'watch', 'done', 'consents', 'loading', 'x'];
const screens = (state: State) => new Set(ALL_STEPS.map((requested) => shown(requested, state)));
const only = (...expected: ReturnType<typeof shown>[]) => new Set(expected);

describe('recovering an identity', () => {
  test('goes through every screen in order, to the end', () => {
    const [found, what] = ['found', 'what'].map((step) => shown(step, stateAfter(empty)));
    const keyStep = shown('key', stateAfter(empty, made));
    const ask = shown('ask', stateAfter(empty, made, copied));
    const after = ['links', 'words', 'watch'].map((step) => shown(step, stateAfter(...REQUESTED)));
    expect([found, what, keyStep, ask, ...after]).toEqual(RECOVER.steps.map(({ name }) => name));
    expect(shown('watch', stateAfter(...REQUESTED, read(NEW)))).toBe('done');
  });

  test('ignores events that do not apply to a state', () => {
    const loading = stateAfter();
    for (const event of [made, copied, sent, requested, refused, read(NEW)]) expect(next(loading, event)).toBe(loading);
    const noKey = stateAfter(empty);
    for (const event of [empty, copied, sent, requested, read(NEW)]) expect(next(noKey, event)).toBe(noKey);
    const uncopied = stateAfter(empty, made);
    for (const event of [empty, made, sent, requested, refused]) expect(next(uncopied, event)).toBe(uncopied);
    const done = stateAfter(...REQUESTED, read(NEW));
    for (const event of [empty, made, copied, sent, requested, read(OLD)]) expect(next(done, event)).toBe(done);
    const sending = stateAfter(empty, made, copied, sent);
    expect(next(sending, sent)).toBe(sending);
  });

  test('shows screens without prerequisites while the browser’s data is read, and loads for the others', () => {
    const before = stateAfter();
    expect([null, 'what', 'x'].map((requested) => shown(requested, before))).toEqual(['found', 'what', 'found']);
    expect(['key', 'links', 'done'].map((requested) => shown(requested, before))).toEqual(Array(3).fill('loading'));
  });

  test('sends the request only with a key that has a copy', () => {
    expect(screens(stateAfter(empty))).toEqual(only('found', 'what', 'key', 'open'));
    expect(screens(stateAfter(empty, made))).toEqual(only('found', 'what', 'key', 'open'));
    expect(shown('ask', stateAfter(empty, made, copied))).toBe('ask');
    expect(shown('links', stateAfter(empty, made, copied))).toBe('ask');
    expect(shown('ask', stateAfter(empty, copied))).toBe('key');
  });

  test('shows links and words only once they exist, also after a reload', () => {
    for (const state of [stateAfter(...REQUESTED), stateAfter(resumed({ ...draft, request }))]) {
      expect(['links', 'words', 'watch'].map((requested) => shown(requested, state))).toEqual([
        'links',
        'words',
        'watch',
      ]);
      expect([null, 'found', 'done', 'x'].map((requested) => shown(requested, state))).toEqual(Array(4).fill('watch'));
    }
  });

  test('shows how the request ended, and can repeat it with the same key', () => {
    const late = resumed({ ...draft, request }, { at: at + 1e8 });
    expect(statusAfter(late)).toEqual({ kind: 'expired' });
    const expired = stateAfter(late);
    expect(['links', 'words', 'watch', null].map((requested) => shown(requested, expired))).toEqual(
      Array(4).fill('watch'),
    );
    expect(shown('ask', expired)).toBe('ask');
    const again = stateAfter(late, sent, { type: 'requested', request: { ...request, requestId: 'second' } });
    expect(again).toMatchObject({ kept: { publicKey: NEW, request: { requestId: 'second' } } });
    expect(shown('links', again)).toBe('links');
  });

  test('counts confirmations, and never lowers the count', () => {
    expect(statusAfter(...REQUESTED, read(OLD, 1))).toMatchObject({ kind: 'open', confirmations: 1 });
    expect(statusAfter(...REQUESTED, read(OLD, 1), read(OLD))).toMatchObject({ confirmations: 1 });
  });

  test('keeps reporting another request that ours hides', () => {
    const theirs = read(OLD, 1, { id: 'theirs', key: 'c'.repeat(64) });
    expect(statusAfter(...REQUESTED, theirs)).toMatchObject({ confirmations: 0, rival: 1 });
    expect(statusAfter(...REQUESTED, theirs, read(OLD, 1))).toMatchObject({ confirmations: 1, rival: 1 });
  });

  test('reports a change of the key since the last request', () => {
    const changed = read('d'.repeat(64));
    expect(statusAfter(...REQUESTED, changed)).toMatchObject({ keyChanged: true });
    expect(statusAfter(...REQUESTED, changed, sent, requested, changed)).toMatchObject({ keyChanged: false });
  });

  test('is done when the identity has the new key, and shows no earlier screen then', () => {
    const done = stateAfter(...REQUESTED, read(NEW));
    expect(screens(done)).toEqual(only('done', 'consents'));
    const later = stateAfter(resumed({ ...draft, publicKey: OLD, recovered: true }));
    expect(shown(null, later)).toBe('done');
    expect(stateAfter(empty, made, copied, sent, read(NEW))).toMatchObject({ at: 'recovered', key });
  });

  test('stops when the server returns words of another key', () => {
    const state = stateAfter(empty, made, copied, sent, { type: 'mismatch' });
    for (const requested of [null, 'key', 'ask', 'links', 'watch']) expect(shown(requested, state)).toBe('mismatch');
  });

  test('keeps the key when the request is refused', () => {
    const state = stateAfter(empty, made, copied, sent, refused);
    expect(state).toMatchObject({ key, hasCopy: true, asking: { at: 'idle', refused: 'UNREACHABLE' } });
    expect(shown('ask', state)).toBe('ask');
    expect(next(state, sent)).toMatchObject({ asking: { at: 'sending' } });
  });

  test('is not needed once the old key is found', () => {
    expect(shown('open', stateAfter(empty))).toBe('open');
    expect(shown('consents', stateAfter(empty))).toBe('open');
    const found = stateAfter(empty, { type: 'keyFound', key });
    expect(screens(found)).toEqual(only('done', 'consents'));
    expect(found).toMatchObject({ at: 'keyFound', key });
  });

  test('asks for the new key where this browser has lost it', () => {
    const kept = { ...draft, request };
    const lost = stateAfter(resumed(kept, { key: null }));
    expect(shown('words', lost)).toBe('words');
    expect(shown('ask', lost)).toBe('key');
    expect(shown('ask', next(lost, { type: 'keyOpened', key, kept }))).toBe('ask');
    const recovered = next(lost, read(NEW));
    expect(recovered).toMatchObject({ at: 'recovered', key: null });
    expect(next(recovered, { type: 'keyOpened', key, kept })).toMatchObject({ key });
  });

  test('continues a request from another device with its key', () => {
    const kept = { ...draft, request };
    const mine = stateAfter(empty, made, { type: 'keyOpened', key, kept });
    expect(shown('links', mine)).toBe('watch');
    expect(shown('links', next(mine, read(OLD)))).toBe('links');
  });

  test('reports that the browser cannot make a key, or that the server is unreachable', () => {
    expect(stateAfter(empty, { type: 'keyFailed' })).toMatchObject({ at: 'noKey', failed: true });
    const unreachable = stateAfter(...REQUESTED, { type: 'unreachable' });
    expect(unreachable).toMatchObject({ unreachable: true });
    expect(next(unreachable, read(OLD))).toMatchObject({ unreachable: false });
  });
});
