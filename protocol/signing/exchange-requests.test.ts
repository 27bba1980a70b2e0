import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { ledgerIdOf } from '../ids.ts';
import { OPERATIONS } from '../operations.ts';
import type { Json } from './canonical-json.ts';
import { LIST_ACCESS, READ_RECORDS, SOVEREIGN_EXPORT } from './exchange-requests.ts';
import { type RequestForm, readSignedRequest } from './message.ts';

const LEDGER = { suffix: 'bsp', ledgerId: ledgerIdOf('09'.repeat(32)), ledgerIdRequired: false };
const ENVELOPE = { nonce: '0123456789abcdef', timestamp: '2026-01-31T12:00:00.000Z', signature: 'any' };
const BEO_ID = '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55';
const CONSENT_FIELDS = { targetBeo: BEO_ID, consentToken: `tok_${BEO_ID}` };

type Body = Readonly<Record<string, unknown>>;

function outcome(form: RequestForm, body: Body): string {
  const sent = Object.fromEntries(Object.entries({ ...ENVELOPE, ...body }).filter(([, value]) => value !== undefined));
  try {
    return JSON.stringify(readSignedRequest(form, sent as Json, LEDGER).message);
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
}

const signed = (functionName: string, fields: Body): string => {
  const { signature: _, ...envelope } = ENVELOPE;
  return JSON.stringify({ function: functionName, ...fields, ...envelope });
};

test('read requests are not operations', () => {
  const onLedger = OPERATIONS.map((operation) => operation.function);
  for (const form of [READ_RECORDS, SOVEREIGN_EXPORT, LIST_ACCESS]) expect(onLedger).not.toContain(form.function);
});

describe.each<[string, RequestForm, Body]>([
  ['readRecords', READ_RECORDS, CONSENT_FIELDS],
  ['sovereignExport', SOVEREIGN_EXPORT, { ...CONSENT_FIELDS, format: 'CSV' }],
])('%s', (name, form, body) => {
  test('signs the identity and the consent, in any form of the alias rule', () => {
    expect(outcome(form, body)).toBe(signed(name, body));
    for (const targetBeo of ['Maria.bsp', `${'A'.repeat(42)}E`, BEO_ID.toUpperCase()]) {
      expect(outcome(form, { ...body, targetBeo })).toBe(signed(name, { ...body, targetBeo }));
    }
    const byTransaction = { ...body, consentToken: `${'A'.repeat(42)}E` };
    expect(outcome(form, byTransaction)).toBe(signed(name, byTransaction));
  });

  test.each<[Body, string]>([
    [{ consentToken: undefined }, 'CONSENT_REQUIRED'],
    [{ consentToken: null }, 'CONSENT_REQUIRED'],
    [{ consentToken: BEO_ID }, 'VALIDATION_FAILED'],
    [{ consentToken: 'lab.bsp' }, 'VALIDATION_FAILED'],
    [{ targetBeo: undefined }, 'VALIDATION_FAILED'],
    [{ targetBeo: 'maria' }, 'VALIDATION_FAILED'],
    [{ categories: 'BSP-GL' }, 'VALIDATION_FAILED'],
    [{ records: [] }, 'VALIDATION_FAILED'],
    [{ signature: undefined }, 'SIGNATURE_MISSING'],
    [{ ledgerId: 'ab'.repeat(32) }, 'WRONG_LEDGER'],
    [{ nonce: 'short' }, 'NONCE_TOO_SHORT'],
    [{ timestamp: 'now' }, 'TIMESTAMP_INVALID'],
  ])('is rejected with %j: %s', (changes, code) => {
    expect(outcome(form, { ...body, ...changes })).toBe(code);
  });
});

test.each(['JSON', 'CSV', 'FHIR_R4'])('an export can have the format %s', (format) => {
  expect(outcome(SOVEREIGN_EXPORT, { ...CONSENT_FIELDS, format })).toContain(`"format":"${format}"`);
});

test.each([undefined, null, '', 'json', 'XML', 'FHIR', ['JSON']])('an export cannot have the format %j', (format) => {
  expect(outcome(SOVEREIGN_EXPORT, { ...CONSENT_FIELDS, format })).toBe('VALIDATION_FAILED');
});

test('listAccess takes an identity and a cursor, and no other field', () => {
  expect(outcome(LIST_ACCESS, { beoId: 'maria.bsp' })).toBe(signed('listAccess', { beoId: 'maria.bsp' }));
  expect(outcome(LIST_ACCESS, { beoId: 'maria.bsp', cursor: 'x' })).toBe(
    signed('listAccess', { beoId: 'maria.bsp', cursor: 'x' }),
  );
  expect(outcome(LIST_ACCESS, {})).toBe('VALIDATION_FAILED');
  expect(outcome(LIST_ACCESS, { beoId: 'maria.bsp', cursor: 7 })).toBe('VALIDATION_FAILED');
  expect(outcome(LIST_ACCESS, { beoId: 'maria.bsp', consentToken: `tok_${BEO_ID}` })).toBe('VALIDATION_FAILED');
});
