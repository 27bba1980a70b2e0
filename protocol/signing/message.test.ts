import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { ledgerIdOf } from '../ids.ts';
import { approveProposal } from '../operations/approve-proposal.ts';
import { createBEO } from '../operations/create-beo.ts';
import { lockBEO } from '../operations/lock-beo.ts';
import type { AnyOperation } from '../operations.ts';
import { amount } from '../test-amount.ts';
import type { Json } from './canonical-json.ts';
import { publicKeyOf } from './ed25519.ts';
import { readInstituteRequest, readSignedRequest, valueAt } from './message.ts';
import { messageBytes } from './message-bytes.ts';

const envelope = { nonce: '0123456789abcdef', timestamp: '2026-01-31T12:00:00.000Z', signature: 'signature' };
const create = { domain: 'maria.bsp', publicKey: publicKeyOf(new Uint8Array(32)), recovery: null, ...envelope };
const lock = { beoId: 'maria.bsp', ...envelope };

const ledgerId = ledgerIdOf('09'.repeat(32));
const ledger = { suffix: 'bsp', ledgerId, ledgerIdRequired: false };
const read = (operation: AnyOperation, body: unknown, rules = ledger) =>
  readSignedRequest(operation, body as Json, rules);

function refusalOf(operation: AnyOperation, body: unknown, rules = ledger): ProtocolError {
  try {
    read(operation, body, rules);
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error('The request was not rejected.');
}

const without = (body: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

describe('reading a signed request', () => {
  test('returns the message with the function and without the signature', () => {
    expect(read(createBEO, create)).toEqual({
      fields: { domain: 'maria.bsp', publicKey: create.publicKey, recovery: null },
      hints: {},
      message: { function: 'createBEO', ...without(create, 'signature') },
      nonce: envelope.nonce,
      timestamp: Date.parse(envelope.timestamp),
      signature: 'signature',
    });
  });

  test('separates hints from the fields and the message', () => {
    const { fields, hints, message } = read(lockBEO, { ...lock, reason: 'stolen' });
    expect([fields, hints]).toEqual([{ beoId: 'maria.bsp' }, { reason: 'stolen' }]);
    expect(message).toEqual({ function: 'lockBEO', ...without(lock, 'signature') });
  });

  test('does not change the body', () => {
    const body = { ...create, domain: 'Maria.BSP', recovery: { extra: [1], guardians: [] } };
    const before = structuredClone(body);
    expect(read(createBEO, body).message.recovery).toBe(body.recovery);
    expect(body).toEqual(before);
  });

  test('signs the canonical JSON in UTF-8', () => {
    const { message } = read(lockBEO, { ...lock, nonce: 'é'.repeat(16) });
    const text = `{"beoId":"maria.bsp","function":"lockBEO","nonce":"${'é'.repeat(16)}","timestamp":"${envelope.timestamp}"}`;
    expect(Buffer.from(messageBytes(message))).toEqual(Buffer.from(text, 'utf8'));
  });
});

describe('the ledgerId of a request', () => {
  test('is part of the message, as it was sent', () => {
    for (const given of [ledgerId, ledgerId.toUpperCase()]) {
      expect(read(lockBEO, { ...lock, ledgerId: given })).toMatchObject({
        fields: { beoId: 'maria.bsp' },
        hints: {},
        message: { function: 'lockBEO', ...without(lock, 'signature'), ledgerId: given },
      });
    }
  });

  test('is rejected if it is the id of another ledger; the error has the right one', () => {
    const error = refusalOf(lockBEO, { ...lock, ledgerId: ledgerIdOf('08'.repeat(32)) });
    expect([error.code, error.status, error.details]).toEqual(['WRONG_LEDGER', 409, { ledger_id: ledgerId }]);
  });

  test.each([null, '', 'abc', `${ledgerId} `, `0x${ledgerId.slice(2)}`, 7, {}, [ledgerId]])(
    'is 64 hex characters, and not %j',
    (given) => {
      const error = refusalOf(lockBEO, { ...lock, ledgerId: given });
      expect([error.code, error.details]).toMatchObject(['VALIDATION_FAILED', { issues: [{ path: 'ledgerId' }] }]);
    },
  );

  test('is required if the ledger requires it', () => {
    const strict = { ...ledger, ledgerIdRequired: true };
    const error = refusalOf(lockBEO, lock, strict);
    expect([error.code, error.details]).toMatchObject(['VALIDATION_FAILED', { issues: [{ path: 'ledgerId' }] }]);
    expect(error.message).toContain('ledgerId is required here: sign the ledger_id that GET /api/ledger returns');
    expect(read(lockBEO, { ...lock, ledgerId }, strict).message).toHaveProperty('ledgerId', ledgerId);
  });

  test('is checked after the form', () => {
    const foreign = { ...lock, ledgerId: ledgerIdOf('08'.repeat(32)) };
    expect(refusalOf(lockBEO, { ...foreign, nonce: 'short' }).code).toBe('NONCE_TOO_SHORT');
  });
});

describe('a malformed request', () => {
  test('is rejected with all issues and their paths', () => {
    const guardians = [{ name: '', contact: 'c', role: 'primary' }];
    const error = refusalOf(createBEO, {
      ...create,
      domain: 1,
      recovery: { guardians },
      colour: 'red',
      nonce: 'short',
    });
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details).toEqual({
      issues: [
        { path: 'colour', message: 'is not a field of this operation' },
        { path: 'domain', message: 'must be a domain' },
        { path: 'recovery.guardians.0.name', message: 'must not be empty' },
        { path: 'nonce', message: 'The nonce must have at least 16 characters.' },
      ],
    });
  });

  test('is rejected with the code of the first issue if all issues have their own code', () => {
    expect(refusalOf(lockBEO, { ...lock, nonce: 'short', timestamp: 'now' }).code).toBe('NONCE_TOO_SHORT');
    expect(refusalOf(lockBEO, { ...lock, timestamp: 'now', signature: '' }).code).toBe('TIMESTAMP_INVALID');
    expect(refusalOf(lockBEO, without(lock, 'nonce', 'timestamp', 'signature')).details).toMatchObject({
      issues: [{ path: 'nonce' }, { path: 'timestamp' }, { path: 'signature' }],
    });
  });

  test.each(['function', 'reason', 'constructor', 'toString', 'hasOwnProperty', '__proto__', '', 'Domain', 'domain '])(
    'an unknown member is rejected: %j',
    (name) => {
      for (const value of [null, 1, { domain: 'x' }]) {
        const body = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(create).slice(1)}`);
        expect(refusalOf(createBEO, body).details).toMatchObject({ issues: [{ path: name }] });
      }
    },
  );

  test('any added member is either rejected or known', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('recovery', 'reason', 'beoId', '__proto__', 'valueOf'));
    fc.assert(
      fc.property(names, fc.constantFrom('x', null, 1, {}), (name, value) => {
        const known = Object.hasOwn(lock, name) || name === 'reason';
        const body = Object.fromEntries([...Object.entries(lock), [name, value]]);
        if (!known) expect(refusalOf(lockBEO, body).code).toBe('VALIDATION_FAILED');
      }),
      { numRuns: amount(60, 300) },
    );
  });

  test.each([null, [], [lock], 'text', 1, true])('is not an object: %j', (body) => {
    expect(refusalOf(lockBEO, body).code).toBe('VALIDATION_FAILED');
  });

  test('inherited members are ignored', () => {
    expect(refusalOf(lockBEO, Object.create(lock)).code).toBe('VALIDATION_FAILED');
  });

  test('a nonce has 16 to 128 UTF-16 code units', () => {
    expect(read(lockBEO, { ...lock, nonce: '😀'.repeat(8) }).nonce).toHaveLength(16);
    expect(read(lockBEO, { ...lock, nonce: '😀'.repeat(64) }).nonce).toHaveLength(128);
    expect(refusalOf(lockBEO, { ...lock, nonce: '😀'.repeat(7) }).code).toBe('NONCE_TOO_SHORT');
    expect(refusalOf(lockBEO, { ...lock, nonce: '😀'.repeat(65) }).code).toBe('VALIDATION_FAILED');
    for (const nonce of [7, [], {}, true])
      expect(refusalOf(lockBEO, { ...lock, nonce }).code).toBe('VALIDATION_FAILED');
    for (const nonce of [null, undefined, ''])
      expect(refusalOf(lockBEO, { ...lock, nonce }).code).toBe('NONCE_REQUIRED');
  });

  test('new keys and domains are checked after the form', () => {
    expect(refusalOf(createBEO, { ...create, publicKey: 'x', domain: 'x' }).code).toBe('PUBLIC_KEY_INVALID');
    expect(refusalOf(createBEO, { ...create, domain: 'x' }).code).toBe('DOMAIN_INVALID');
    expect(refusalOf(createBEO, { ...create, domain: 'root.bsp' }).code).toBe('DOMAIN_RESERVED');
    expect(refusalOf(createBEO, { ...create, domain: 'x', signature: null }).code).toBe('SIGNATURE_MISSING');
  });
});

describe('reading a request of the institute', () => {
  const proposalId = '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55';
  const readAs = (approver: 1 | 2 | 3, body: Json) => readInstituteRequest(approveProposal, body, approver);

  test.each([1, 2, 3] as const)('adds the number of the institute key to the message: %s', (approver) => {
    expect(readAs(approver, { proposalId })).toEqual({
      fields: { proposalId },
      message: { function: 'approveProposal', proposalId, approver },
    });
  });

  test.each<Json>([
    { proposalId, approver: 2 },
    { proposalId, nonce: null },
    { proposalId, timestamp: '2026-01-31T12:00:00.000Z' },
    { proposalId, signature: '' },
    { proposalId, ledgerId },
    [{ proposalId }],
    null,
    'approve',
  ])('rejects fields that are not checked: %j', (body) => {
    expect(() => readAs(1, body)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});

test('valueAt follows member names through objects only', () => {
  const fields = { ieoId: 'a', params: { ieoId: 'b', deep: { er: null } }, list: [{ ieoId: 'c' }] };
  const paths = [
    'ieoId',
    'params.ieoId',
    'params.deep.er',
    'params.none',
    'ieoId.length',
    'list.0',
    'list.length',
    'none.at.all',
  ];
  expect(paths.map((path) => valueAt(fields, path))).toEqual([
    'a',
    'b',
    null,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
