import { expect, test } from 'vitest';
import { passcodeDigest, shareFileDigest, shareFileNonce, shareFileType } from './share-files.ts';
import shares from './vectors/shares.json' with { type: 'json' };

const titled = shares.cases.map((vector) => [vector.name, vector] as const);

test.each(titled)('%s has the digests of the vector', (_, { file, fileDigest, contentType, ...vector }) => {
  expect(shareFileType(file)).toBe(contentType);
  expect(shareFileDigest(file)).toBe(fileDigest);
  if (vector.passcode === null) return;
  expect(passcodeDigest(vector.passcode, fileDigest)).toBe(vector.passcodeDigest);
  expect(passcodeDigest(vector.passcode, fileDigest.toUpperCase())).toBe(vector.passcodeDigest);
});

test('two files of the vectors have different nonces', () => {
  expect(new Set(shares.cases.map(({ file }) => shareFileNonce(file))).size).toBe(shares.cases.length);
});

test.each([
  '',
  '....',
  'e30..AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA',
  '{"resourceType":"Bundle"}',
  'bnVsbA..a.b.c',
])('%j is no encrypted file', (text) => {
  expect(shareFileType(text)).toBe(null);
});
