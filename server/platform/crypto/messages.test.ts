import { describe, expect, test } from 'vitest';
import type { PublicGuardian } from '../../../protocol/entities/recovery.ts';
import { ProtocolError, refusal } from '../../../protocol/errors.ts';
import { derivedIds, ledgerIdOf } from '../../../protocol/ids.ts';
import { type AnyOperation, OPERATIONS } from '../../../protocol/operations.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../../protocol/signing/ed25519.ts';
import { readInstituteRequest, readSignedRequest } from '../../../protocol/signing/message.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import invalid from '../../../protocol/vectors/invalid-messages.json' with { type: 'json' };
import valid from '../../../protocol/vectors/messages.json' with { type: 'json' };
import { isStrictPublicKeyNatively, verifyNatively } from './ed25519.ts';

/** The deployment for which the vectors are signed. */
const LEDGER = { suffix: 'bsp', ledgerId: ledgerIdOf(valid.relayerPublicKey), ledgerIdRequired: false };

interface Vector {
  readonly operation: string;
  readonly body: string;
  readonly publicKey?: string | undefined;
  readonly approver?: number | undefined;
}

interface Crypto {
  isStrict(key: string): boolean;
  verify(key: string, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

const CRYPTO: readonly (readonly [string, Crypto])[] = [
  ['with the browser code', { isStrict: isStrictPublicKey, verify: verifySignature }],
  ['natively', { isStrict: isStrictPublicKeyNatively, verify: verifyNatively }],
];

function operationNamed(name: string): AnyOperation {
  const operation = OPERATIONS.find((row) => row.name === name);
  if (!operation) throw new Error(`Unknown operation ${name}.`);
  return operation;
}

const read = ({ operation, body }: Vector) =>
  readSignedRequest(operationNamed(operation), JSON.parse(body) as Json, LEDGER);

const APPROVERS = [1, 2, 3] as const;

function readUnsigned({ operation, body, approver }: Vector) {
  const number = APPROVERS.find((candidate) => candidate === approver) ?? expect.fail(`Unknown approver ${approver}.`);
  return readInstituteRequest(operationNamed(operation), JSON.parse(body) as Json, number);
}

/** Verifies at the time of the signature, so that a vector never expires. */
async function verified(vector: Vector, crypto: Crypto): Promise<boolean> {
  const { introduces, signer, examine, countOnlyMessage } = operationNamed(vector.operation);
  const { fields, message, signature, timestamp } = read(vector);
  if (!(introduces?.(fields).keys ?? []).every(crypto.isStrict)) throw refusal('PUBLIC_KEY_INVALID');
  const problem = examine?.(fields, timestamp, []);
  if (problem) throw problem;
  const key = typeof signer === 'object' && 'field' in signer ? String(fields[signer.field]) : vector.publicKey;
  const bytes = decodeSignature(signature);
  if (bytes === null || key === undefined) return false;
  if (await crypto.verify(key, messageBytes(message), bytes)) return true;
  const lesser = countOnlyMessage?.(message);
  if (lesser && (await crypto.verify(key, messageBytes(lesser), bytes)))
    throw refusal('SIGNATURE_DOES_NOT_COVER_RECORDS');
  return false;
}

/** The result of the checks that need no database: OK or an error code. */
async function outcome(vector: Vector, crypto: Crypto): Promise<string> {
  try {
    if (operationNamed(vector.operation).signer === 'institute') {
      readUnsigned(vector);
      return 'OK';
    }
    return (await verified(vector, crypto)) ? 'OK' : 'INVALID_SIGNATURE';
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
}

test('both vector files use one ledger, whose id is derived from its relayer key', () => {
  const { relayerPublicKey, ledgerId } = valid;
  expect(ledgerIdOf(relayerPublicKey)).toBe(ledgerId);
  expect(invalid).toMatchObject({ relayerPublicKey, ledgerId });
});

/** Test titles for %s, because Vitest shortens $name. */
const titled = <Case extends { readonly operation: string; readonly name: string }>(cases: readonly Case[]) =>
  cases.map((vector) => [`${vector.operation}: ${vector.name}`, vector] as const);

describe.each(CRYPTO)('a signed request, verified %s', (_, crypto) => {
  test.each(titled(valid.cases))('is accepted: %s', async (_title, vector) => {
    expect(await outcome(vector, crypto)).toBe('OK');
  });

  test.each(titled(invalid.cases))('is rejected: %s', async (_title, vector) => {
    expect(await outcome(vector, crypto)).toBe(vector.code);
  });
});

test('every operation has valid and invalid vectors', () => {
  const named = OPERATIONS.map(({ name }) => name).sort();
  for (const { cases } of [valid, invalid]) {
    const tested = [...new Set(cases.map(({ operation }) => operation))];
    expect(tested.sort(), 'see "Adding a case" in protocol/vectors/README.md').toEqual(named);
  }
});

describe('a valid request results in', () => {
  const signed = valid.cases.filter(({ approver }) => approver === undefined);
  test.each(titled(signed))('the canonical message: %s', (_, vector) => {
    const { message, signature, nonce, timestamp } = read(vector);
    expect(canonicalJson(message)).toBe(vector.canonical);
    expect(Buffer.from(messageBytes(message)).toString('utf8')).toBe(vector.canonical);
    expect(signature).toBe(vector.signature);
    const expected = JSON.parse(vector.canonical) as { nonce: string; timestamp: string };
    expect([nonce, timestamp]).toEqual([expected.nonce, Date.parse(expected.timestamp)]);
  });

  test.each(titled(valid.cases.filter(({ approver }) => approver !== undefined)))('the entry: %s', (_, vector) => {
    expect(canonicalJson(readUnsigned(vector).message)).toBe(vector.canonical);
  });

  test.each(titled(signed.filter(({ ledgerId }) => ledgerId !== undefined)))('the derived ids: %s', (_, vector) => {
    const operation = operationNamed(vector.operation);
    const request = read(vector);
    expect(vector.ledgerId).toBe(LEDGER.ledgerId);
    const ids = derivedIds(LEDGER.ledgerId, request.signature);
    if (vector.beoId) expect(ids.beoId()).toBe(vector.beoId);
    if (vector.ieoId) expect(ids.ieoId()).toBe(vector.ieoId);
    if (vector.tokenId) {
      expect(ids.tokenId()).toBe(vector.tokenId);
      expect(operation.publicFacts(request)).toMatchObject({
        tokenHash: vector.tokenHash,
        ownerSignature: vector.signature,
      });
    }
    const { guardian, guardians = guardian ? [guardian] : [] } = (operation.sealed?.seal(
      request.fields,
      ids,
      {},
      () => new Uint8Array(32),
    )?.publicFacts ?? {}) as {
      guardian?: PublicGuardian;
      guardians?: PublicGuardian[];
    };
    const named = guardians.map(({ role, guardian_id, invitation_id }) => [
      role,
      { guardianId: guardian_id, invitationId: invitation_id },
    ]);
    expect(Object.fromEntries(named)).toEqual(vector.guardians ?? {});
  });
});
