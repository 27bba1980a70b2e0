import { describe, expect, test } from 'vitest';
import { BEGINNING, type Event, progressed, screenFor } from './progress.ts';

const key = {
  secret: { holds: 'entropy', bytes: new Uint8Array(32) },
  seed: new Uint8Array(32),
  publicKey: 'ab'.repeat(32),
} as const;
const reached = (...events: Event[]) => events.reduce(progressed, BEGINNING);
const made: Event = { type: 'key', key, kept: false };

describe('accepting an invitation', () => {
  test('begins with who asks, whatever the address says that no screen is called', () => {
    for (const asked of [null, '', 'constructor', 'WHO']) expect(screenFor(asked, BEGINNING)).toBe('who');
  });

  test('lets a person read all there is to read in any order, and decline', () => {
    for (const asked of ['who', 'ask', 'what', 'day', 'no']) expect(screenFor(asked, BEGINNING)).toBe(asked);
  });

  test('comes to the last question only with a key of which the person has a copy', () => {
    expect(screenFor('accept', BEGINNING)).toBe('key');
    expect(screenFor('accept', reached(made))).toBe('key');
    expect(screenFor('accept', reached({ type: 'kept' }))).toBe('key');
    expect(screenFor('accept', reached(made, { type: 'kept' }))).toBe('accept');
  });

  test('goes on after a reload where it was, with the key of before', () => {
    expect(screenFor('accept', reached({ type: 'key', key, kept: true }))).toBe('accept');
  });

  test('is not done because the address says so', () => {
    expect(screenFor('done', reached(made, { type: 'kept' }))).toBe('accept');
  });

  test('keeps the key when the answer is a refusal, and forgets the refusal on the next try', () => {
    const refused = reached(made, { type: 'kept' }, { type: 'sending' }, { type: 'refused', code: 'UNREACHABLE' });
    expect(refused).toMatchObject({ key, kept: true, sending: false, refused: 'UNREACHABLE' });
    expect(progressed(refused, { type: 'sending' })).toMatchObject({ key, sending: true, refused: null });
  });

  test('cannot be gone back from', () => {
    const done = reached(made, { type: 'kept' }, { type: 'sending' }, { type: 'accepted' });
    for (const asked of ['who', 'key', 'accept', 'no', null]) expect(screenFor(asked, done)).toBe('done');
  });
});
