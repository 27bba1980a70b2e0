import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { ledgerIdOf } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import type { Json } from '../signing/canonical-json.ts';
import { readInstituteRequest, readSignedRequest } from '../signing/message.ts';
import { approveProposal } from './approve-proposal.ts';
import { createIEO } from './create-ieo.ts';
import { grantConsent } from './grant-consent.ts';
import { lockIEO } from './lock-ieo.ts';
import { openProposal } from './open-proposal.ts';
import { revokeAllFromIEO } from './revoke-all-from-ieo.ts';
import { revokeByIntent } from './revoke-by-intent.ts';
import { revokeToken } from './revoke-token.ts';
import { rotateIEOKey } from './rotate-ieo-key.ts';
import { updateCertification } from './update-certification.ts';
import { updateIEOContacts } from './update-ieo-contacts.ts';

/** B, the base point of RFC 8032 §5.1. */
const KEY = `58${'66'.repeat(31)}`;
const LEDGER = { suffix: 'bsp', ledgerId: ledgerIdOf('09'.repeat(32)), ledgerIdRequired: false };
const ENVELOPE = { nonce: '0123456789abcdef', timestamp: '2026-01-31T12:00:00.000Z', signature: 'any' };
const UUID = '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55';
const TRANSACTION = `${'A'.repeat(42)}E`;

type Body = Readonly<Record<string, unknown>>;

function outcome(read: () => unknown): string {
  try {
    read();
    return 'OK';
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { issues = [] } = (error.details ?? {}) as { issues?: { path: string }[] };
    return [error.code, ...issues.map(({ path }) => path)].join(' ');
  }
}
const signed = (operation: AnyOperation, body: Body): string =>
  outcome(() => readSignedRequest(operation, { ...ENVELOPE, ...body } as Json, LEDGER));
const ofInstitute = (operation: AnyOperation, body: Body): string =>
  outcome(() => readInstituteRequest(operation, body as Json, 2));

/** Rows of changes to a valid body and the result; undefined removes a member. */
type Rows = readonly (readonly [what: string, changes: Body, outcome: string])[];

function withChanges(body: Body, changes: Body): Body {
  return Object.fromEntries(Object.entries({ ...body, ...changes }).filter(([, value]) => value !== undefined));
}

describe('createIEO', () => {
  const body = { domain: 'lab.bsp', ieoType: 'LAB', displayName: 'Lab', publicKey: KEY };
  test.each<Rows[number]>([
    ['the required fields', {}, 'OK'],
    ['every field', { country: 'PT', jurisdiction: 'EU', legalId: '500 000 000' }, 'OK'],
    ['null for optional fields', { country: null, jurisdiction: null, legalId: null }, 'OK'],
    ['the longest texts', { displayName: 'n'.repeat(120), country: 'c'.repeat(60), legalId: 'l'.repeat(60) }, 'OK'],
    ['the shortest name', { displayName: 'HP' }, 'OK'],
    ['a name of one letter', { displayName: 'H' }, 'VALIDATION_FAILED displayName'],
    ['a name of spaces', { displayName: ' \u00a0 ' }, 'VALIDATION_FAILED displayName'],
    ['a name of 121 characters', { displayName: 'n'.repeat(121) }, 'VALIDATION_FAILED displayName'],
    ['no name', { displayName: undefined }, 'VALIDATION_FAILED displayName'],
    ['a country of 61 characters', { country: 'c'.repeat(61) }, 'VALIDATION_FAILED country'],
    ['a jurisdiction of 61 characters', { jurisdiction: 'c'.repeat(61) }, 'VALIDATION_FAILED jurisdiction'],
    ['a legal id of 61 characters', { legalId: 'c'.repeat(61) }, 'VALIDATION_FAILED legalId'],
    ['a legal id that is a number', { legalId: 500_000_000 }, 'VALIDATION_FAILED legalId'],
    ['no type', { ieoType: undefined }, 'VALIDATION_FAILED ieoType'],
    ['a type in lower case', { ieoType: 'lab' }, 'VALIDATION_FAILED ieoType'],
    ['an unknown type', { ieoType: 'PHARMACY' }, 'VALIDATION_FAILED ieoType'],
    ['no domain', { domain: undefined }, 'VALIDATION_FAILED domain'],
    ['another suffix', { domain: 'lab.com' }, 'DOMAIN_INVALID'],
    ['a reserved label', { domain: 'institute.lab.bsp' }, 'DOMAIN_RESERVED'],
    ['no key', { publicKey: undefined }, 'VALIDATION_FAILED publicKey'],
    ['an invalid key', { publicKey: 'k'.repeat(64) }, 'PUBLIC_KEY_INVALID'],
    ['a recovery', { recovery: null }, 'VALIDATION_FAILED recovery'],
    ['a certification', { certLevel: 'ADVANCED' }, 'VALIDATION_FAILED certLevel'],
    ['several invalid fields', { displayName: 7, ieoType: 7 }, 'VALIDATION_FAILED ieoType displayName'],
  ])('%s', (_, changes, expected) => {
    expect(signed(createIEO, withChanges(body, changes))).toBe(expected);
  });
});

describe('what an institution signs about itself', () => {
  const contacts = { ieoId: 'lab.bsp', apiEndpoint: 'https://lab.example/api', webhookUrl: null };
  const url = (length: number): string => 'https://lab.example/'.padEnd(length, 'p');
  test.each<Rows[number]>([
    ['both URLs', { webhookUrl: 'https://lab.example/hook' }, 'OK'],
    ['no URL', { apiEndpoint: null }, 'OK'],
    ['a URL of 500 characters', { apiEndpoint: url(500) }, 'OK'],
    ['a URL of 501 characters', { apiEndpoint: url(501) }, 'VALIDATION_FAILED apiEndpoint'],
    ['a missing URL', { webhookUrl: undefined }, 'VALIDATION_FAILED webhookUrl'],
    ['an empty URL', { webhookUrl: '' }, 'VALIDATION_FAILED webhookUrl'],
    ['http', { webhookUrl: 'http://lab.example/' }, 'VALIDATION_FAILED webhookUrl'],
    ['credentials', { apiEndpoint: 'https://me:secret@lab.example/' }, 'VALIDATION_FAILED apiEndpoint'],
    ['localhost', { webhookUrl: 'https://localhost/' }, 'VALIDATION_FAILED webhookUrl'],
    ['a private address', { webhookUrl: 'https://169.254.169.254/' }, 'VALIDATION_FAILED webhookUrl'],
    ['a loopback address', { apiEndpoint: 'https://[::1]/' }, 'VALIDATION_FAILED apiEndpoint'],
    ['a number', { apiEndpoint: 7 }, 'VALIDATION_FAILED apiEndpoint'],
    ['an unknown member', { phone: '1' }, 'VALIDATION_FAILED phone'],
    ['no institution', { ieoId: undefined }, 'VALIDATION_FAILED ieoId'],
  ])('contacts: %s', (_, changes, expected) => {
    expect(signed(updateIEOContacts, withChanges(contacts, changes))).toBe(expected);
  });

  test.each([UUID, UUID.toUpperCase(), TRANSACTION, 'Lab.BSP'])('its id in any form: %s', (ieoId) => {
    expect(signed(lockIEO, { ieoId })).toBe('OK');
    expect(signed(rotateIEOKey, { ieoId, newPublicKey: KEY })).toBe('OK');
  });

  test('has no field of a person’s operation', () => {
    expect(signed(lockIEO, { beoId: UUID })).toBe('VALIDATION_FAILED beoId ieoId');
    expect(signed(lockIEO, { ieoId: UUID, reason: 'stolen' })).toBe('VALIDATION_FAILED reason');
  });
});

describe('grantConsent', () => {
  const scope = { intents: ['READ_RECORDS'], categories: ['BSP-CV'] };
  const body = { beoId: 'maria.bsp', ieoId: UUID, scope, expiresInDays: 30 };
  test.each<Rows[number]>([
    ['a day', { expiresInDays: 1 }, 'OK'],
    ['a hundred years', { expiresInDays: 36_500 }, 'OK'],
    ['until revoked', { expiresInDays: null }, 'OK'],
    ['zero days', { expiresInDays: 0 }, 'VALIDATION_FAILED expiresInDays'],
    ['a negative number of days', { expiresInDays: -1 }, 'VALIDATION_FAILED expiresInDays'],
    ['more than a hundred years', { expiresInDays: 36_501 }, 'VALIDATION_FAILED expiresInDays'],
    ['a day and a half', { expiresInDays: 1.5 }, 'VALIDATION_FAILED expiresInDays'],
    ['days as a text', { expiresInDays: '30' }, 'VALIDATION_FAILED expiresInDays'],
    ['days left out', { expiresInDays: undefined }, 'VALIDATION_FAILED expiresInDays'],
    ['no scope', { scope: undefined }, 'SCOPE_REQUIRED scope'],
    ['a scope that is null', { scope: null }, 'SCOPE_REQUIRED scope'],
    ['no intent', { scope: { ...scope, intents: [] } }, 'SCOPE_REQUIRED scope.intents'],
    ['no category', { scope: { ...scope, categories: [] } }, 'CATEGORIES_REQUIRED scope.categories'],
    ['no intent and no category', { scope: {} }, 'SCOPE_REQUIRED scope.intents scope.categories'],
    [
      'no category and an unknown member',
      { scope: { ...scope, categories: [], colour: 1 } },
      'VALIDATION_FAILED scope.categories scope',
    ],
    ['an unknown intent', { scope: { ...scope, intents: ['X'] } }, 'VALIDATION_FAILED scope.intents.0'],
    ['* and others', { scope: { ...scope, categories: ['*', 'BSP-CV'] } }, 'VALIDATION_FAILED scope.categories'],
    [
      'a period that ends before it begins',
      { scope: { ...scope, period: { from: '2026-01-02T00:00Z', to: '2026-01-01T00:00Z' } } },
      'VALIDATION_FAILED scope.period',
    ],
    ['max_records 0', { scope: { ...scope, max_records: 0 } }, 'VALIDATION_FAILED scope.max_records'],
    ['no grantee', { ieoId: undefined }, 'VALIDATION_FAILED ieoId'],
    ['a grantee that is no id', { ieoId: 'lab' }, 'VALIDATION_FAILED ieoId'],
    ['a token id', { tokenId: `tok_${UUID}` }, 'VALIDATION_FAILED tokenId'],
  ])('%s', (_, changes, expected) => {
    expect(signed(grantConsent, withChanges(body, changes))).toBe(expected);
  });
});

describe('revocations', () => {
  test.each<[unknown, string]>([
    [`tok_${UUID}`, 'OK'],
    [`tok_${UUID.toUpperCase()}`, 'OK'],
    [TRANSACTION, 'OK'],
    [UUID, 'VALIDATION_FAILED tokenId'],
    [`TOK_${UUID}`, 'VALIDATION_FAILED tokenId'],
    [`tok_${UUID} `, 'VALIDATION_FAILED tokenId'],
    ['maria.bsp', 'VALIDATION_FAILED tokenId'],
    ['', 'VALIDATION_FAILED tokenId'],
    [null, 'VALIDATION_FAILED tokenId'],
  ])('of a token: %s', (tokenId, expected) => {
    expect(signed(revokeToken, { tokenId })).toBe(expected);
  });

  test.each<[unknown, string]>([
    ['maria.bsp', 'OK'],
    [UUID, 'OK'],
    [null, 'OK'],
    ['maria', 'VALIDATION_FAILED beoId'],
    [7, 'VALIDATION_FAILED beoId'],
  ])('of a token with the hint beoId: %s', (beoId, expected) => {
    expect(signed(revokeToken, { tokenId: `tok_${UUID}`, beoId })).toBe(expected);
    const request = () => readSignedRequest(revokeToken, { ...ENVELOPE, tokenId: TRANSACTION, beoId: UUID }, LEDGER);
    expect(request().message).not.toHaveProperty('beoId');
  });

  test('from one institution need the institution, and those by intent a known intent', () => {
    expect(signed(revokeAllFromIEO, { beoId: UUID, ieoId: 'lab.bsp' })).toBe('OK');
    expect(signed(revokeAllFromIEO, { beoId: UUID })).toBe('VALIDATION_FAILED ieoId');
    expect(signed(revokeByIntent, { beoId: UUID, intent: 'READ_RECORDS' })).toBe('OK');
    for (const intent of ['read_records', '*', '', null, undefined]) {
      expect(signed(revokeByIntent, withChanges({ beoId: UUID }, { intent }))).toBe('VALIDATION_FAILED intent');
    }
  });
});

describe('openProposal', () => {
  const justification = 'Patients have complained.';
  const reason = 'Results are wrong.';
  const ieoId = 'lab.bsp';
  test.each<[string, string, Body, string]>([
    ['suspendIEO', 'with a reason', { ieoId, reason }, 'OK'],
    ['suspendIEO', 'with the longest reason', { ieoId, reason: 'r'.repeat(500) }, 'OK'],
    ['suspendIEO', 'with too long a reason', { ieoId, reason: 'r'.repeat(501) }, 'VALIDATION_FAILED params.reason'],
    ['suspendIEO', 'with an empty reason', { ieoId, reason: ' ' }, 'VALIDATION_FAILED params.reason'],
    ['suspendIEO', 'without a reason', { ieoId }, 'VALIDATION_FAILED params.reason'],
    ['suspendIEO', 'without an institution', { reason }, 'VALIDATION_FAILED params.ieoId'],
    ['suspendIEO', 'with a malformed id', { ieoId: 'lab', reason }, 'VALIDATION_FAILED params.ieoId'],
    ['suspendIEO', 'with a level', { ieoId, reason, level: 'BASIC' }, 'VALIDATION_FAILED params'],
    ['reinstateIEO', 'with the institution alone', { ieoId: UUID }, 'OK'],
    ['reinstateIEO', 'with a reason', { ieoId, reason }, 'VALIDATION_FAILED params'],
    ['reinstateIEO', 'with nothing', {}, 'VALIDATION_FAILED params.ieoId'],
    ['revokeIEO', 'with a reason', { ieoId: TRANSACTION, reason }, 'OK'],
    ['revokeIEO', 'without a reason', { ieoId }, 'VALIDATION_FAILED params.reason'],
    ['revokeIEO', 'with an unknown member', { ieoId, reason, force: true }, 'VALIDATION_FAILED params'],
    ['changeCertLevel', 'with a level', { ieoId, level: 'BASIC' }, 'OK'],
    ['changeCertLevel', 'with no end', { ieoId, level: 'BASIC', expiresAt: null }, 'OK'],
    ['changeCertLevel', 'with an end', { ieoId, level: 'BASIC', expiresAt: '2027-01-01T00:00Z' }, 'OK'],
    [
      'changeCertLevel',
      'with a day',
      { ieoId, level: 'BASIC', expiresAt: '2027-01-01' },
      'VALIDATION_FAILED params.expiresAt',
    ],
    ['changeCertLevel', 'with no level', { ieoId }, 'VALIDATION_FAILED params.level'],
    ['changeCertLevel', 'with an unknown level', { ieoId, level: 'GOLD' }, 'VALIDATION_FAILED params.level'],
    ['changeCertLevel', 'with categories', { ieoId, level: 'BASIC', categories: [] }, 'VALIDATION_FAILED params'],
    ['destroyIEO', 'which is not an action', { ieoId }, 'VALIDATION_FAILED action'],
    ['constructor', 'which is not an action', { ieoId }, 'VALIDATION_FAILED action'],
  ])('%s %s', (action, _, params, expected) => {
    expect(ofInstitute(openProposal, { action, params, justification })).toBe(expected);
  });

  const body = { action: 'reinstateIEO', params: { ieoId }, justification };
  test.each<Rows[number]>([
    ['the longest justification', { justification: 'j'.repeat(1_000) }, 'OK'],
    ['too long a justification', { justification: 'j'.repeat(1_001) }, 'VALIDATION_FAILED justification'],
    ['no justification', { justification: undefined }, 'VALIDATION_FAILED justification'],
    ['no params', { params: undefined }, 'VALIDATION_FAILED params'],
    ['params that are null', { params: null }, 'VALIDATION_FAILED params'],
    ['params that are a list', { params: [] }, 'VALIDATION_FAILED params'],
    [
      'params with a member __proto__',
      { params: JSON.parse('{"ieoId":"lab.bsp","__proto__":{"reason":1}}') },
      'VALIDATION_FAILED params',
    ],
    ['params that are a text', { params: 'lab.bsp' }, 'VALIDATION_FAILED params'],
    ['no action', { action: undefined }, 'VALIDATION_FAILED action'],
    ['an approver', { approver: 1 }, 'VALIDATION_FAILED approver'],
    ['a proposal', { proposalId: UUID }, 'VALIDATION_FAILED proposalId'],
    ['a signature, which would not be checked', { signature: 'any' }, 'VALIDATION_FAILED signature'],
    ['a nonce', { nonce: '0123456789abcdef' }, 'VALIDATION_FAILED nonce'],
    ['a timestamp', { timestamp: '2026-01-31T12:00:00.000Z' }, 'VALIDATION_FAILED timestamp'],
  ])('with %s', (_, changes, expected) => {
    expect(ofInstitute(openProposal, withChanges(body, changes))).toBe(expected);
  });

  test('records the fields as sent and the number of the institute key', () => {
    const { message } = readInstituteRequest(openProposal, body, 3);
    expect(message).toEqual({ function: 'openProposal', ...body, approver: 3 });
  });
});

describe('approveProposal', () => {
  test.each<[unknown, string]>([
    [UUID, 'OK'],
    [TRANSACTION, 'OK'],
    ['lab.bsp', 'VALIDATION_FAILED proposalId'],
    [null, 'VALIDATION_FAILED proposalId'],
  ])('%s', (proposalId, expected) => {
    expect(ofInstitute(approveProposal, { proposalId })).toBe(expected);
  });
});

describe('updateCertification', () => {
  const body = { ieoId: 'lab.bsp', level: 'ADVANCED' };
  test.each<Rows[number]>([
    ['the required fields', {}, 'OK'],
    ['every field', { categories: ['BSP-CV'], intents: ['READ_RECORDS'], expiresAt: '2027-01-01T00:00:00Z' }, 'OK'],
    ['null for optional fields', { categories: null, intents: null, expiresAt: null }, 'OK'],
    ['empty lists', { categories: [], intents: [] }, 'OK'],
    ['no level', { level: undefined }, 'VALIDATION_FAILED level'],
    ['a level in lower case', { level: 'advanced' }, 'VALIDATION_FAILED level'],
    ['an unknown category', { categories: ['BSP-XX'] }, 'VALIDATION_FAILED categories.0'],
    ['an unknown intent', { intents: ['X'] }, 'VALIDATION_FAILED intents.0'],
    ['categories as a text', { categories: 'BSP-CV' }, 'VALIDATION_FAILED categories'],
    ['an end without a zone', { expiresAt: '2027-01-01T00:00:00' }, 'VALIDATION_FAILED expiresAt'],
    ['no institution', { ieoId: undefined }, 'VALIDATION_FAILED ieoId'],
    ['a justification', { justification: 'none' }, 'VALIDATION_FAILED justification'],
  ])('with %s', (_, changes, expected) => {
    expect(ofInstitute(updateCertification, withChanges(body, changes))).toBe(expected);
  });
});
