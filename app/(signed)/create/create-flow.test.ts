import { describe, expect, test } from 'vitest';
import type { KeptIdentity } from '../../_keys/identities.ts';
import { type Event, next, type Screen, STEPS, type State, screenOf } from './create-flow.ts';
import { EMPTY_DRAFT, type KeptDraft } from './kept-draft.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const identity: KeptIdentity = {
  id: 'an-id',
  kind: 'holder',
  domain: 'olive.bsp',
  publicKey: key.publicKey,
  file: 'sealed',
  passkey: null,
  backedUp: true,
  usedAt: '2026-01-01T00:00:00.000Z',
};
const failure = { code: 'UNREACHABLE', message: '' };

const resumed: Event = { type: 'resumed', draft: EMPTY_DRAFT, key: null, id: null };
const named: Event = { type: 'named', domain: 'olive.bsp' };
const keyMade: Event = { type: 'keyMade', key, stored: true };
const inWords: Event = { type: 'copied', as: 'words' };
const inFile: Event = { type: 'copied', as: 'file' };
const sealed: Event = { type: 'sealed', file: 'sealed' };
const sent: Event = { type: 'sent' };
const created: Event = { type: 'created', id: 'an-id' };
const offered: Event = { type: 'passkeyOffered', identity, required: false };
const finished: Event = { type: 'finished', required: true };

const stateAfter = (...events: Event[]): State => events.reduce(next, { at: 'loading' } satisfies State);
const shown = (state: State, requested: string | null): Screen['at'] => screenOf(requested, state).at;
const READY = [resumed, named, keyMade, inWords, sealed];

describe('creating an identity', () => {
  test('goes through every screen in order, to the end', () => {
    expect(screenOf('key', stateAfter())).toEqual({ at: 'loading' });
    expect(screenOf(null, stateAfter())).toEqual({ at: 'name', domain: null, lostDomain: null });
    expect(screenOf(null, stateAfter(resumed))).toEqual({ at: 'name', domain: null, lostDomain: null });
    expect(screenOf('public', stateAfter(resumed, named))).toEqual({ at: 'public', domain: 'olive.bsp' });
    expect(screenOf('key', stateAfter(resumed, named))).toEqual({ at: 'key', shows: 'keyMissing', failed: false });
    expect(screenOf('key', stateAfter(resumed, named, keyMade))).toMatchObject({ at: 'key', shows: 'makeCopy', key });
    expect(screenOf('here', stateAfter(resumed, named, keyMade, inWords))).toMatchObject({ at: 'here', shows: 'seal' });
    expect(screenOf('send', stateAfter(...READY))).toMatchObject({ at: 'send', sending: false });
    expect(screenOf('send', stateAfter(...READY, sent))).toMatchObject({ at: 'send', sending: true });
    expect(shown(stateAfter(...READY, sent, created, offered), 'send')).toBe('passkey');
    expect(stateAfter(...READY, sent, created, offered, finished)).toMatchObject({ at: 'done', required: true });
  });

  test('shows no screen before the earlier ones are complete', () => {
    expect(shown(stateAfter(resumed), 'send')).toBe('name');
    expect(shown(stateAfter(resumed, named), 'send')).toBe('key');
    expect(shown(stateAfter(resumed, named, keyMade, inWords), 'send')).toBe('here');
    expect(STEPS.map((step) => shown(stateAfter(...READY), step))).toEqual([...STEPS]);
    expect(shown(stateAfter(...READY), 'elsewhere')).toBe('name');
  });

  test('ignores events that do not apply to a state', () => {
    const EVERY: Event[] = [named, keyMade, inWords, sealed, sent, created, offered, finished, { type: 'cannotStore' }];
    for (const event of EVERY) expect(next(stateAfter(), event)).toEqual({ at: 'loading' });
    const drafting = stateAfter(resumed, named);
    for (const event of [inWords, sealed, sent, created, offered, finished])
      expect(next(drafting, event)).toBe(drafting);
    const done = stateAfter(...READY, sent, created, finished);
    for (const event of [...EVERY, resumed]) expect(next(done, event)).toBe(done);
    const sending = stateAfter(...READY, sent);
    expect(next(sending, sent)).toBe(sending);
  });

  test('accepts words for another domain, but not a file for the first one', () => {
    const another: Event = { type: 'named', domain: 'stone.bsp' };
    expect(shown(stateAfter(resumed, named, keyMade, inWords, another), 'send')).toBe('here');
    expect(screenOf('send', stateAfter(resumed, named, keyMade, inFile, another))).toMatchObject({
      shows: 'makeCopy',
      otherDomain: 'olive.bsp',
    });
    expect(screenOf('send', stateAfter(...READY, another))).toMatchObject({ at: 'here' });
    expect(shown(stateAfter(...READY, named), 'send')).toBe('send');
  });

  test('lets the person make another copy of the key', () => {
    const copied = stateAfter(resumed, named, keyMade, inWords);
    expect(screenOf('key', copied)).toMatchObject({ shows: 'hasCopy' });
    const again = next(copied, { type: 'copyWanted' });
    expect(screenOf('key', again)).toMatchObject({ shows: 'makeCopy', otherDomain: null });
    expect(screenOf('key', next(again, inFile))).toMatchObject({ shows: 'hasCopy' });
  });

  test('keeps the answers when the request is refused, and asks for another name when the domain is taken', () => {
    const refused = stateAfter(...READY, sent, { type: 'refused', failure });
    expect(screenOf('send', refused)).toEqual({ at: 'send', domain: 'olive.bsp', sending: false, failure });
    expect(screenOf('send', next(refused, sent))).toMatchObject({ sending: true, failure: null });
    const lost = stateAfter(...READY, sent, { type: 'domainLost' });
    expect(screenOf('send', lost)).toEqual({ at: 'name', domain: null, lostDomain: 'olive.bsp' });
    expect(lost).toMatchObject({ draft: { publicKey: key.publicKey, sent: false }, key, file: null });
  });

  test('asks for the passphrase again where the browser could not store the key', () => {
    const state = stateAfter(...READY, sent, created, { type: 'cannotStore' });
    for (const requested of [null, 'name', 'send']) {
      expect(screenOf(requested, state)).toMatchObject({ at: 'here', id: 'an-id', cannotStore: true });
    }
    expect(shown(next(state, offered), 'here')).toBe('passkey');
  });

  test('continues after a reload where it was', () => {
    const draft: KeptDraft = {
      domain: 'olive.bsp',
      publicKey: key.publicKey,
      copy: { as: 'words', domain: 'olive.bsp' },
      sent: true,
    };
    expect(shown(stateAfter({ type: 'resumed', draft, key, id: null }), 'send')).toBe('here');
    const exists = stateAfter({ type: 'resumed', draft, key, id: 'an-id' });
    expect(screenOf('name', exists)).toMatchObject({ at: 'here', id: 'an-id', cannotStore: false });
    expect(shown(stateAfter(resumed), 'done')).toBe('past');
  });

  test('reports that the browser cannot make a key', () => {
    const state = stateAfter(resumed, named, { type: 'keyFailed' });
    expect(screenOf('key', state)).toEqual({ at: 'key', shows: 'keyMissing', failed: true });
  });
});
