import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../../protocol/errors.ts';
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
      message: 'The cursor is not one that this service gave for this list.',
      details: { issues: [{ path: 'cursor', message: 'is not a cursor of this list' }] },
    });
    return;
  }
  throw new Error('It was opened.');
}

describe('a cursor', () => {
  test('opens where it was sealed, at the position it was sealed with', () => {
    expect(open(SCOPE, seal(SCOPE, POSITION))).toEqual(POSITION);
    fc.assert(
      fc.property(scopes, positions, (scope, position) => {
        expect(open(scope, seal(scope, position))).toEqual(position);
      }),
    );
  });

  test('is short and goes into a URL as it is', () => {
    expect(seal(SCOPE, POSITION)).toMatch(/^[\w-]{100,150}$/);
  });

  test('fits no other list, no other filter and no other key', () => {
    const cursor = seal(SCOPE, POSITION);
    for (const scope of ['ieos', 'ieos?status=LOCKED', 'tokens?status=ACTIVE', `${SCOPE}"`, '']) {
      expectRefusal(() => open(scope, cursor));
    }
    expectRefusal(() => createCursors(randomBytes(32)).open(SCOPE, cursor));
    fc.assert(
      fc.property(scopes, scopes, positions, (one, other, position) => {
        fc.pre(one !== other);
        expectRefusal(() => open(other, seal(one, position)));
      }),
    );
  });

  test('does not open with any character changed, left out or added', () => {
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
      { numRuns: 2_000 },
    );
  });

  test('cut off anywhere does not open', () => {
    const cursor = seal(SCOPE, POSITION);
    for (let length = 0; length < cursor.length; length++) expectRefusal(() => open(SCOPE, cursor.slice(0, length)));
  });

  test('has one spelling', () => {
    for (const length of [1, 2, 3]) {
      const cursor = seal(SCOPE, ['x'.repeat(length)]);
      const bytes = Buffer.from(cursor, 'base64url');
      for (const other of [`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}\n`, ...spellingsOf(cursor)]) {
        expect(Buffer.from(other, 'base64url')).toEqual(bytes);
        expectRefusal(() => open(SCOPE, other));
      }
    }
  });

  test('is nothing that a stranger makes up', () => {
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

/** Every other last character that stands for the same bytes, because its low bits are dropped. */
const spellingsOf = (cursor: string): string[] =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => cursor.slice(0, -1) + last)
    .filter((other) => other !== cursor)
    .filter((other) => Buffer.from(other, 'base64url').equals(Buffer.from(cursor, 'base64url')));
