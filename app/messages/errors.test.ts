import { expect, it } from 'vitest';
import { ERRORS } from '../../protocol/errors.ts';
import en from './en/errors.ts';

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
  expect(Object.keys(en).sort()).toEqual(
    [...Object.keys(ERRORS).filter((code) => !FOR_MACHINES_ONLY.includes(code)), ...OF_PAGES].sort(),
  );
});

it('says in each what happened and, or, what to do, without the words of the protocol', () => {
  for (const sentence of Object.values(en)) {
    expect(sentence).toMatch(/\.( \{message\})?$/);
    expect(sentence).not.toMatch(/\b(token|nonce|BEO|IEO|timestamp|transaction)\b/i);
  }
});
