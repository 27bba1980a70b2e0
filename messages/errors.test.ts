import { expect, test } from 'vitest';
import { ERRORS } from '../protocol/errors.ts';
import { messagesIn } from './messages.ts';

const { errors, guardian, institute, recover } = messagesIn('en');

/** Errors that no request of the pages causes: only other clients receive them. */
const FOR_OTHER_CLIENTS = [
  'INVALID_JSON',
  'NONCE_REQUIRED',
  'NONCE_TOO_SHORT',
  'TIMESTAMP_INVALID',
  'SCOPE_REQUIRED',
  'RECOVERY_THRESHOLD_INVALID',
  'SIGNATURE_MISSING',
  'SIGNATURE_DOES_NOT_COVER_RECORDS',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
];
/** Problems that pages report besides the codes of the table. */
const PAGE_PROBLEMS = ['OTHER', 'UNREACHABLE', 'STORAGE_UNREADABLE', 'ARRIVED', 'UNCERTAIN', 'UNVERIFIED'];

test('every code that a page can receive has a message, and no other code has one', () => {
  const advice = 'a code needs a sentence in each messages/*.json, or a place in FOR_OTHER_CLIENTS above';
  expect(Object.keys(errors).sort(), advice).toEqual(
    [...Object.keys(ERRORS).filter((code) => !FOR_OTHER_CLIENTS.includes(code)), ...PAGE_PROBLEMS].sort(),
  );
});

test('every message is a sentence without the terms of the protocol', () => {
  for (const sentence of Object.values(errors)) {
    expect(sentence).toMatch(/\.( \{message\})?$/);
    expect(sentence).not.toMatch(/\b(token|nonce|BEO|IEO|timestamp|transaction)\b/i);
  }
});

/** These sections have one message for both timestamp errors. */
const SECTION_PROBLEMS = [...PAGE_PROBLEMS, 'TIMESTAMP'];

test('the error messages of single pages are for codes of the table only', () => {
  for (const section of [guardian.errors, institute.problem, recover.errors]) {
    const codes = Object.keys(section);
    expect(codes.filter((code) => !Object.hasOwn(ERRORS, code) && !SECTION_PROBLEMS.includes(code))).toEqual([]);
  }
});
