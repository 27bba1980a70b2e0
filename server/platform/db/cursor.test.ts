import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../../../protocol/errors.ts';
import { amount } from '../../../protocol/test-amount.ts';
import { createCursors } from './cursor.ts';

const { seal, open } = createCursors(randomBytes(32));
const SCOPE = 'ieos?status=ACTIVE';
const POSITION = ['2026-01-31T12:00:00.000Z', '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d'];

const scopes = fc.string({ unit: 'binary', maxLength: 40 });
const positions = fc.array(fc.string({ unit: 'binary', maxLength: 15 }), { maxLength: 3 });

function expectRefusal(attempt: () => unknown): void {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'This cursor does not belong to this list; start again without one.',
      details: { issues: [{ path: 'cursor', message: 'is not a cursor of this list' }] },
    });
    return;
  }
  throw new Error('The cursor was accepted.');
}

describe('a cursor', () => {
  test('returns the position it was created with', () => {
    expect(open(SCOPE, seal(SCOPE, POSITION))).toEqual(POSITION);
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        expect(open(scope, seal(scope, position))).toEqual(position);
      }),
    );
  });

  test('is short and URL-safe', () => {
    expect(seal(SCOPE, POSITION)).toMatch(/^[\w-]{100,150}$/);
  });

  test('is invalid for another list, filter or key', () => {
    const cursor = seal(SCOPE, POSITION);
    for (const scope of ['ieos', 'ieos?status=LOCKED', 'tokens?status=ACTIVE', `${SCOPE}"`, '']) {
      expectRefusal(() => open(scope, cursor));
    }
    expectRefusal(() => createCursors(randomBytes(32)).open(SCOPE, cursor));
    fc.assert(
      fc.property(scopes, scopes, positions, (scope, otherScope, position) => {
        fc.pre(scope !== otherScope);
        expectRefusal(() => open(otherScope, seal(scope, position)));
      }),
    );
  });

  test('is invalid with any character changed, removed or added', () => {
    const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= \n\0é');
    fc.assert(
      fc.property(positions, fc.nat(), fc.nat({ max: 1 }), fc.string({ unit: character, maxLength: 2 }), (...drawn) => {
        const [position, at, removed, inserted] = drawn;
        const cursor = seal(SCOPE, position);
        const start = at % (cursor.length + 1);
        const changed = cursor.slice(0, start) + inserted + cursor.slice(start + removed);
        fc.pre(changed !== cursor);
        expectRefusal(() => open(SCOPE, changed));
      }),
      { numRuns: amount(400, 2_000) },
    );
  });

  test('is invalid if truncated', () => {
    const cursor = seal(SCOPE, POSITION);
    for (let length = 0; length < cursor.length; length++) expectRefusal(() => open(SCOPE, cursor.slice(0, length)));
  });

  test('has only one valid encoding', () => {
    for (const length of [1, 2, 3]) {
      const cursor = seal(SCOPE, ['x'.repeat(length)]);
      const bytes = Buffer.from(cursor, 'base64url');
      for (const other of [`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}\n`, ...otherEncodingsOf(cursor)]) {
        expect(Buffer.from(other, 'base64url')).toEqual(bytes);
        expectRefusal(() => open(SCOPE, other));
      }
    }
  });

  test('cannot be guessed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        expectRefusal(() => open(SCOPE, text));
      }),
    );
    expectRefusal(() => open(SCOPE, Buffer.from(JSON.stringify(POSITION)).toString('base64url')));
  });

  test('has at most 512 characters', () => {
    const longest = ['x'.repeat(364)];
    expect(seal(SCOPE, longest)).toHaveLength(512);
    expect(open(SCOPE, seal(SCOPE, longest))).toEqual(longest);
    expect(() => seal(SCOPE, ['x'.repeat(365)])).toThrow(RangeError);
    expectRefusal(() => open(SCOPE, 'A'.repeat(1_000_000)));
  });
});

/** The cursor with every other last character that decodes to the same bytes, because its low bits are dropped. */
const otherEncodingsOf = (cursor: string): string[] =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => cursor.slice(0, -1) + last)
    .filter((other) => other !== cursor)
    .filter((other) => Buffer.from(other, 'base64url').equals(Buffer.from(cursor, 'base64url')));
