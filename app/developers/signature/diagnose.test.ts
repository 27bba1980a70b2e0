import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { signBytes } from '../../../protocol/signing/ed25519.ts';
import { hexToBytes, toBase64, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import vectors from '../../../protocol/vectors/messages.json' with { type: 'json' };
import { describedApi } from '../../../server/http/openapi/described.ts';
import { type Diagnosis, diagnose, firstDifference } from './diagnose.ts';
import type { SignedFunction } from './signed-function.ts';

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
const LEDGER = vectors.ledgerId;
const { body: BODY, publicKey = '', secretKey = '', canonical = '' } = FIRST;

const check = (body: string, signedMessage = ''): Extract<Diagnosis, { state: 'checked' }> => {
  const diagnosis = diagnose({
    signedFunction: functionOf('createBEO'),
    body,
    publicKey,
    signedMessage,
    ledgerId: LEDGER,
  });
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
    ledgerId: LEDGER,
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

/** A request with nested objects, numbers, letters and signs that libraries write differently. */
const RICH = `{"targetBeo":"a.bsp","consentToken":"tok_1","ledgerId":"${vectors.ledgerId}","nonce":"n","timestamp":"t",
  "records":[{"value":1.50,"low":1e-07,"unit":"mg/dL","note":"<Jo\\u00e3o> & e\u0301 São"}]}`;

describe('finds what was signed, and its first byte that differs, from key, signature and request alone', () => {
  const sent = JSON.parse(RICH) as Record<string, Json>;
  const message: Record<string, Json> = { function: 'submitRecords', ...sent };
  const right = canonicalJson(message);
  const { ledgerId: _ledger, ...withoutLedger } = message;
  const ascii = (text: string) =>
    text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const python = right
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
    .replace('1.5}', '1.50}')
    .replace('1e-7', '1e-07');
  test.each([
    ['the order of members', JSON.stringify(message), ['another order']],
    ['the order in nested objects', JSON.stringify(message, Object.keys(message).sort()), ['nested objects without']],
    ['spaces', right.replaceAll('":', '": ').replaceAll(',"', ', "'), ['white space']],
    ['numbers', right.replace('1.5}', '1.50}').replace('1e-7', '1e-07'), ['1.0 or 1e-07']],
    ['spaces, numbers and letters, as Python writes them', ascii(python), ['white space', '1e-07', 'ensure_ascii']],
    ['escapes of Go', right.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`), ['SetEscapeHTML']],
    ['escapes of PHP', ascii(right).replaceAll('/', '\\/'), ['JSON_UNESCAPED_SLASHES']],
    ['another Unicode form', right.normalize('NFC'), ['NFC']],
    ['a byte order mark', `\ufeff${right}`, ['byte order mark']],
    ['no ledger id', canonicalJson(withoutLedger), ['without `ledgerId`']],
  ])('%s', (_, text, words) => {
    const signature = toBase64(signBytes(hexToBytes(secretKey), utf8ToBytes(text)));
    const diagnosis = diagnose({
      signedFunction: functionOf('submitRecords'),
      body: RICH.replace('{', `{"signature":"${signature}",`),
      publicKey,
      signedMessage: '',
      ledgerId: LEDGER,
    });
    if (diagnosis.state !== 'checked') throw new Error(diagnosis.problem);
    expect(diagnosis).toMatchObject({ isValid: false, isFound: true, message: right });
    expect(diagnosis.difference).toEqual(firstDifference(right, text));
    for (const word of words) expect(diagnosis.findings.join(' ')).toContain(word);
  });

  test('asks for the signed message where no mistake explains the signature', () => {
    const diagnosis = check(signedOver('something else'));
    expect(diagnosis).toMatchObject({ isFound: false, difference: null });
    expect(diagnosis.findings.join(' ')).toContain('paste it under “Message that you signed”');
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
  const given = { signedFunction: functionOf('createBEO'), body: BODY, publicKey, signedMessage: '', ledgerId: LEDGER };
  expect(diagnose({ ...given, body: '[1]' }).state).toBe('unreadable');
  expect(diagnose({ ...given, body: '{"a":"\\ud800"}' }).state).toBe('checked');
  expect(diagnose({ ...given, body: '{"domain":"\\ud800"}' }).state).toBe('unreadable');
  expect(diagnose({ ...given, publicKey: '00'.repeat(32) }).state).toBe('unreadable');
});
