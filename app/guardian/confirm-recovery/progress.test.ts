import { describe, expect, test } from 'vitest';
import { BEGINNING, type Event, isHopeless, progressed, screenFor } from './progress.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const reached = (...events: Event[]) => events.reduce(progressed, BEGINNING);
const words = ['zoo', 'able', 'cat', 'dog', 'egg', 'fox'];
const mismatch: Event = { type: 'doubted', verdict: { kind: 'mismatch', wrong: [] } };

describe('confirming a recovery', () => {
  test('begins with what is asked, whatever the address says that no screen is called', () => {
    for (const asked of [null, '', 'toString', 'Ask']) expect(screenFor(asked, BEGINNING)).toBe('ask');
  });

  test('comes to the key only by the right words, and to the last question only by the key', () => {
    expect(screenFor('key', BEGINNING)).toBe('words');
    expect(screenFor('confirm', BEGINNING)).toBe('words');
    expect(screenFor('key', reached({ type: 'matched' }))).toBe('key');
    expect(screenFor('confirm', reached({ type: 'matched' }))).toBe('key');
    expect(screenFor('confirm', reached({ type: 'key', key }))).toBe('words');
    expect(screenFor('confirm', reached({ type: 'matched' }, { type: 'key', key }))).toBe('confirm');
  });

  test('asks for the words to be checked anew once one of them was changed', () => {
    const changed = reached({ type: 'matched' }, { type: 'key', key }, { type: 'typed', words });
    expect(screenFor('confirm', changed)).toBe('words');
    expect(changed.words).toEqual(words);
  });

  test('advises to stop after the third mismatch, not for words that are missing or misspelt', () => {
    const misspelt: Event = { type: 'doubted', verdict: { kind: 'unlisted', wrong: [2] } };
    const missing: Event = { type: 'doubted', verdict: { kind: 'missing', wrong: [0] } };
    expect(isHopeless(reached(misspelt, misspelt, missing, missing, mismatch, mismatch))).toBe(false);
    expect(isHopeless(reached(mismatch, { type: 'typed', words }, mismatch, mismatch))).toBe(true);
  });

  test('lets a guardian stop at any time', () => {
    expect(screenFor('stop', reached({ type: 'matched' }, { type: 'key', key }))).toBe('stop');
  });

  test('keeps words and key when the answer is a refusal', () => {
    const refused = reached(
      { type: 'matched' },
      { type: 'key', key },
      { type: 'sending' },
      {
        type: 'refused',
        code: 'UNREACHABLE',
      },
    );
    expect(refused).toMatchObject({ matched: true, key, sending: false, refused: 'UNREACHABLE' });
    expect(screenFor('confirm', refused)).toBe('confirm');
  });

  test('cannot be gone back from', () => {
    const done = reached({ type: 'confirmed', outcome: { confirmations: 1, executed: false } });
    for (const asked of ['ask', 'words', 'confirm', 'stop', null]) expect(screenFor(asked, done)).toBe('done');
  });
});
