import { expect, it } from 'vitest';
import { ERRORS } from '../protocol/errors.ts';
import { messagesIn } from './messages.ts';

const { errors, guardian, institute, recover } = messagesIn('en');

/** What our own pages send cannot be refused with these: only another client, or one that is broken, reads them. */
const FOR_MACHINES_ONLY = [
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
];
/** What pages say besides the codes of the table. */
const OF_PAGES = ['OTHER', 'UNREACHABLE'];

it('has a sentence for every code that can reach a person, and for nothing else', () => {
  expect(Object.keys(errors).sort()).toEqual(
    [...Object.keys(ERRORS).filter((code) => !FOR_MACHINES_ONLY.includes(code)), ...OF_PAGES].sort(),
  );
});

it('says in each what happened and, or, what to do, without the words of the protocol', () => {
  for (const sentence of Object.values(errors)) {
    expect(sentence).toMatch(/\.( \{message\})?$/);
    expect(sentence).not.toMatch(/\b(token|nonce|BEO|IEO|timestamp|transaction)\b/i);
  }
});

/** Of the two codes about a clock, these sections have one message. */
const OF_SECTIONS = [...OF_PAGES, 'TIMESTAMP'];

it('has no message that no code of the table leads to in the sections of some pages', () => {
  for (const section of [guardian.errors, institute.problem, recover.errors]) {
    const codes = Object.keys(section);
    expect(codes.filter((code) => !Object.hasOwn(ERRORS, code) && !OF_SECTIONS.includes(code))).toEqual([]);
  }
});
