import { describe, expect, test } from 'vitest';
import { type Event, FIRST, next, STEPS, type State, screenOf } from './confirm-flow.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const words = ['zoo', 'able', 'cat', 'dog', 'egg', 'fox'];
const typed: Event = { type: 'typed', words };
const mismatch: Event = { type: 'wordsWrong', problem: { kind: 'mismatch', wrong: [] } };
const right: Event = { type: 'wordsRight' };
const opened: Event = { type: 'keyOpened', key };
const sent: Event = { type: 'sent' };
const refused: Event = { type: 'refused', code: 'UNREACHABLE' };
const confirmed: Event = { type: 'confirmed', outcome: { confirmations: 1, executed: false } };

const stateAfter = (...events: Event[]): State => events.reduce(next, FIRST);
const shown = (requested: string | null, state: State) => screenOf(requested, state).at;

describe('confirming a recovery', () => {
  test('starts with `ask`, also for an unknown step', () => {
    for (const requested of [null, '', 'toString', 'Ask']) expect(shown(requested, FIRST)).toBe('ask');
  });

  test('goes through every screen in order, to the end', () => {
    expect(STEPS.map((step) => shown(step, stateAfter(typed, right, opened)))).toEqual([...STEPS]);
    expect(screenOf('confirm', stateAfter(typed, right, opened, sent))).toMatchObject({ sending: true });
    const done = stateAfter(typed, right, opened, sent, confirmed);
    expect(screenOf('confirm', done)).toEqual({ at: 'done', outcome: { confirmations: 1, executed: false } });
  });

  test('shows the key only after the right words, and the last question only with the key', () => {
    expect(shown('key', FIRST)).toBe('words');
    expect(shown('confirm', FIRST)).toBe('words');
    expect(shown('key', stateAfter(right))).toBe('key');
    expect(shown('confirm', stateAfter(right))).toBe('key');
    expect(shown('confirm', stateAfter(opened))).toBe('words');
    expect(shown('confirm', stateAfter(right, opened))).toBe('confirm');
  });

  test('ignores events that do not apply to a state', () => {
    for (const event of [opened, sent, refused, confirmed]) expect(next(FIRST, event)).toBe(FIRST);
    const atKey = stateAfter(right);
    for (const event of [sent, refused, confirmed]) expect(next(atKey, event)).toBe(atKey);
    const ready = stateAfter(right, opened);
    for (const event of [refused, confirmed]) expect(next(ready, event)).toBe(ready);
    const sending = next(ready, sent);
    for (const event of [typed, mismatch, right, opened, sent]) expect(next(sending, event)).toBe(sending);
  });

  test('checks the words again after a change, and keeps the key', () => {
    const changed = stateAfter(right, opened, typed);
    expect(screenOf('confirm', changed)).toMatchObject({ at: 'words', words });
    expect(shown('confirm', next(changed, right))).toBe('confirm');
    expect(shown('confirm', stateAfter(right, opened, mismatch))).toBe('words');
  });

  test('advises to stop after the third mismatch, but not for missing or misspelt words', () => {
    const misspelt: Event = { type: 'wordsWrong', problem: { kind: 'unlisted', wrong: [2] } };
    const missing: Event = { type: 'wordsWrong', problem: { kind: 'missing', wrong: [0] } };
    const twice = stateAfter(misspelt, misspelt, missing, missing, mismatch, mismatch);
    expect(screenOf('words', twice)).toMatchObject({ advisesToStop: false });
    expect(screenOf('words', stateAfter(mismatch, typed, mismatch, mismatch))).toMatchObject({ advisesToStop: true });
  });

  test('lets a guardian stop at any time', () => {
    expect(shown('stop', stateAfter(right, opened))).toBe('stop');
  });

  test('keeps words and key when the request is refused', () => {
    const state = stateAfter(typed, right, opened, sent, refused);
    expect(state).toMatchObject({ at: 'ready', words, key });
    expect(screenOf('confirm', state)).toMatchObject({ at: 'confirm', key, sending: false, refused: 'UNREACHABLE' });
  });

  test('shows the confirmations that were read last', () => {
    const counted = stateAfter(right, opened, { type: 'counted', confirmations: 1 });
    expect(screenOf('confirm', counted)).toMatchObject({ confirmations: 1 });
    expect(screenOf('confirm', next(counted, sent))).toMatchObject({ confirmations: 1, sending: true });
  });

  test('shows no earlier screen once it is done', () => {
    const done = stateAfter(right, opened, sent, confirmed);
    for (const requested of ['ask', 'words', 'confirm', 'stop', null]) expect(shown(requested, done)).toBe('done');
    for (const event of [typed, mismatch, sent, refused]) expect(next(done, event)).toBe(done);
  });
});
