import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { signBytes } from '../../../protocol/signing/ed25519.ts';
import { hexToBytes, toBase64, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import vectors from '../../../protocol/vectors/messages.json' with { type: 'json' };
import { describedApi } from '../../../server/http/openapi/described.ts';
import { type Diagnosis, diagnose, firstDifference, type SignedFunction } from './diagnose.ts';

const FUNCTIONS = describedApi().operations.flatMap(({ id, title, signed }): SignedFunction[] =>
  signed ? [{ id, title, function: signed.function, members: signed.members, unsigned: signed.unsigned }] : [],
);
const functionOf = (id: string): SignedFunction => {
  const found = FUNCTIONS.find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not signed.`);
  return found;
};

const SIGNED = vectors.cases.filter(({ operation }) => FUNCTIONS.some(({ id }) => id === operation));
const [FIRST] = SIGNED;
if (!FIRST) throw new Error('There are no vectors.');
const { body: BODY, publicKey = '', secretKey = '', canonical = '' } = FIRST;

const check = (body: string, signedMessage = ''): Extract<Diagnosis, { state: 'checked' }> => {
  const diagnosis = diagnose({ signedFunction: functionOf('createBEO'), body, publicKey, signedMessage });
  if (diagnosis.state !== 'checked') throw new Error(diagnosis.problem);
  return diagnosis;
};

const { signature: _, ...FIELDS } = JSON.parse(BODY) as Record<string, Json>;

/** A body whose signature is over other bytes than the message. */
const signedOver = (bytes: string | Uint8Array, fields: Record<string, Json> = FIELDS): string => {
  const message = typeof bytes === 'string' ? utf8ToBytes(bytes) : bytes;
  return JSON.stringify({ ...fields, signature: toBase64(signBytes(hexToBytes(secretKey), message)) });
};

test.each(SIGNED)('shows the message that the service verifies: $operation, $name', (vector) => {
  const diagnosis = diagnose({
    signedFunction: functionOf(vector.operation),
    body: vector.body,
    publicKey: vector.publicKey ?? '',
    signedMessage: '',
  });
  expect(diagnosis).toMatchObject({ state: 'checked', message: vector.canonical, isValid: true });
});

describe('names the cause', () => {
  const { function: __, ...WITHOUT } = JSON.parse(canonical) as Record<string, Json>;
  test.each([
    ['without `function`', signedOver(canonicalJson(WITHOUT))],
    ['another order', signedOver(JSON.stringify({ function: 'createBEO', ...FIELDS }))],
    ['indented', signedOver(JSON.stringify(JSON.parse(canonical), null, 2))],
    ['spaces after commas', signedOver(canonical.replaceAll('":', '": ').replaceAll(',"', ', "'))],
    ['line break', signedOver(`${canonical}\n`)],
    ['SHA-256 of the message:', signedOver(hash('sha256', canonical, 'buffer'))],
    ['SHA-256 of the message in hex', signedOver(hash('sha256', canonical, 'hex'))],
    ['`ledgerId`', signedOver(canonical, { ...FIELDS, ledgerId: vectors.ledgerId })],
    ['base64', JSON.stringify({ ...FIELDS, signature: 'ab'.repeat(64) })],
    ['no signature', JSON.stringify(FIELDS)],
    ['does not know: `color`', signedOver(canonical, { ...FIELDS, color: 'red' })],
  ])('%s', (words, body) => {
    expect(check(body).findings.join(' ')).toContain(words);
  });

  test('of numbers that Python writes', () => {
    expect(check(BODY.replace('"recovery":null', '"recovery":1.0')).findings.join(' ')).toContain('Python');
  });

  test('of a member that is there twice, also if the signature is valid for the last one', () => {
    const body = BODY.replace('{', '{"domain":"other.bsp",');
    expect(check(body)).toMatchObject({
      isValid: true,
      findings: [expect.stringContaining('`domain` is in the body twice')],
    });
    expect(check(BODY.replace('null', '{"a":1,"a":2}')).findings.join(' ')).toContain(
      '`recovery.a` is in the body twice',
    );
  });

  test('is not reported for a valid request', () => {
    expect(check(BODY)).toMatchObject({ isValid: true, findings: [], difference: null });
  });
});

test('finds the first byte that differs, also after characters of several bytes', () => {
  expect(firstDifference('{"a":1}', '{"a":1}')).toBeNull();
  expect(firstDifference('{"a":"é1"}', '{"a":"é2"}')).toMatchObject({ offset: 8 });
  expect(firstDifference('abc', 'ab')).toMatchObject({ offset: 2, given: 'ab (ends here)' });
  expect(check(BODY, canonical.replace('createBEO', 'createBeo')).difference?.offset).toBe(
    canonical.indexOf('createBEO') + 'createB'.length,
  );
});

test('refuses what it cannot check', () => {
  const given = { signedFunction: functionOf('createBEO'), body: BODY, publicKey, signedMessage: '' };
  expect(diagnose({ ...given, body: '[1]' }).state).toBe('unreadable');
  expect(diagnose({ ...given, body: '{"a":"\\ud800"}' }).state).toBe('checked');
  expect(diagnose({ ...given, body: '{"domain":"\\ud800"}' }).state).toBe('unreadable');
  expect(diagnose({ ...given, publicKey: '00'.repeat(32) }).state).toBe('unreadable');
});
