import { describe, expect, test } from 'vitest';
import { type Event, FIRST, next, STEPS, type State, screenOf } from './accept-flow.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const made: Event = { type: 'keyMade', key, hasCopy: false };
const copied: Event = { type: 'copied' };
const opened: Event = { type: 'keyOpened', key, pasted: true };
const sent: Event = { type: 'sent' };
const refused: Event = { type: 'refused', code: 'UNREACHABLE' };
const accepted: Event = { type: 'accepted' };

const stateAfter = (...events: Event[]): State => events.reduce(next, FIRST);
const shown = (requested: string | null, state: State) => screenOf(requested, state).at;

describe('accepting an invitation', () => {
  test('starts with `who`, also for an unknown step', () => {
    for (const requested of [null, '', 'constructor', 'WHO']) expect(shown(requested, FIRST)).toBe('who');
  });

  test('goes through every screen in order, to the end', () => {
    expect(STEPS.map((step) => shown(step, stateAfter(made, copied)))).toEqual([...STEPS]);
    expect(screenOf('key', stateAfter(made))).toEqual({ at: 'key', key, failed: false, hasCopy: false });
    expect(screenOf('accept', stateAfter(made, copied, sent))).toMatchObject({ at: 'accept', sending: true });
    expect(screenOf('accept', stateAfter(made, copied, sent, accepted))).toEqual({ at: 'done', key });
  });

  test('shows the screens without prerequisites in any order, and lets a person decline', () => {
    for (const requested of ['who', 'ask', 'what', 'day', 'no']) expect(shown(requested, FIRST)).toBe(requested);
  });

  test('shows the last question only with a key that has a copy', () => {
    expect(shown('accept', FIRST)).toBe('key');
    expect(shown('accept', stateAfter(made))).toBe('key');
    expect(shown('accept', stateAfter(copied))).toBe('key');
    expect(shown('accept', stateAfter(made, copied))).toBe('accept');
    expect(shown('accept', stateAfter(opened))).toBe('accept');
  });

  test('ignores events that do not apply to a state', () => {
    for (const event of [copied, sent, refused, accepted]) expect(next(FIRST, event)).toEqual(FIRST);
    const ready = stateAfter(made, copied);
    for (const event of [accepted, refused, { type: 'keyFailed' } as const]) expect(next(ready, event)).toBe(ready);
    const sending = next(ready, sent);
    for (const event of [made, copied, opened, sent, { type: 'keyDropped' } as const]) {
      expect(next(sending, event)).toBe(sending);
    }
  });

  test('continues after a reload with the same key', () => {
    expect(shown('accept', stateAfter({ type: 'keyMade', key, hasCopy: true }))).toBe('accept');
  });

  test('is not done because the last step is in the address', () => {
    expect(shown('done', stateAfter(made, copied))).toBe('accept');
  });

  test('keeps the key when the request is refused, and clears the refusal on the next try', () => {
    const state = stateAfter(opened, sent, refused);
    expect(state).toEqual({ at: 'ready', key, pasted: true, refused: 'UNREACHABLE' });
    expect(screenOf('accept', state)).toEqual({ at: 'accept', key, sending: false, refused: 'UNREACHABLE' });
    expect(screenOf('accept', next(state, sent))).toMatchObject({ sending: true, refused: null });
  });

  test('makes another key when the first is dropped', () => {
    expect(stateAfter(made, copied, { type: 'keyDropped' })).toEqual(FIRST);
    const failed = stateAfter({ type: 'keyFailed' });
    expect(screenOf('key', failed)).toEqual({ at: 'key', key: null, failed: true, hasCopy: false });
    expect(stateAfter({ type: 'keyFailed' }, { type: 'keyDropped' })).toEqual(FIRST);
  });

  test('shows no earlier screen once it is done', () => {
    const done = stateAfter(made, copied, sent, accepted);
    for (const requested of ['who', 'key', 'accept', 'no', null]) expect(shown(requested, done)).toBe('done');
    for (const event of [made, copied, sent, refused]) expect(next(done, event)).toBe(done);
  });
});
