import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../protocol/ed25519.ts';
import { ProtocolError, refusal } from '../../protocol/errors.ts';
import { derivedIds, type LedgerId, ledgerIdOf } from '../../protocol/ids.ts';
import { messageBytes, readInstituteRequest, readSignedRequest } from '../../protocol/message.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import type { Approver } from '../../protocol/proposal.ts';
import type { PublicGuardian } from '../../protocol/recovery.ts';
import { isStrictPublicKeyNatively, verifyNatively } from './ed25519.ts';
import { readVectors } from './test-vectors.ts';

/** The ledger that the vectors are for: its relayer's public key is 32 bytes of 09. */
const LEDGER = { suffix: 'bsp', ledgerId: ledgerIdOf('09'.repeat(32)), ledgerIdRequired: false };

interface Vector {
  readonly about: string;
  readonly operation: string;
  readonly body: string;
  /** The current key of the identity or institution that the operation is on, or that it creates. */
  readonly publicKey?: string;
  /** The institute's key that stands behind it instead. */
  readonly approver?: Approver;
}

interface Valid extends Vector {
  readonly canonical: string;
  readonly signature?: string;
  readonly ledgerId?: string;
  readonly beoId?: string;
  readonly ieoId?: string;
  readonly tokenId?: string;
  readonly tokenHash?: string;
  readonly guardians?: Record<string, { guardianId: string; invitationId: string }>;
}

interface Invalid extends Vector {
  readonly code: string;
}

interface Crypto {
  isStrict(key: string): boolean;
  verify(key: string, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

const CRYPTO: readonly (readonly [string, Crypto])[] = [
  ['in the browser', { isStrict: isStrictPublicKey, verify: verifySignature }],
  ['natively', { isStrict: isStrictPublicKeyNatively, verify: verifyNatively }],
];

function operationNamed(name: string): AnyOperation {
  const operation = OPERATIONS.find((row) => row.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  return operation;
}

const read = ({ operation, body }: Vector) =>
  readSignedRequest(operationNamed(operation), JSON.parse(body) as Json, LEDGER);

const readUnsigned = ({ operation, body, approver = 1 }: Vector) =>
  readInstituteRequest(operationNamed(operation), JSON.parse(body) as Json, approver);

/** At the time of the signature: a vector is never too old. */
async function verified(vector: Vector, crypto: Crypto): Promise<boolean> {
  const { introduces, signer, examine, lesserMessage } = operationNamed(vector.operation);
  const { fields, message, signature, timestamp } = read(vector);
  if (!introduces(fields).keys.every(crypto.isStrict)) throw refusal('PUBLIC_KEY_INVALID');
  const problem = examine?.(fields, timestamp);
  if (problem) throw problem;
  const key = typeof signer === 'object' && 'field' in signer ? String(fields[signer.field]) : vector.publicKey;
  const bytes = decodeSignature(signature);
  if (bytes === null || key === undefined) return false;
  if (await crypto.verify(key, messageBytes(message), bytes)) return true;
  const lesser = lesserMessage?.(message);
  if (lesser && (await crypto.verify(key, messageBytes(lesser), bytes)))
    throw refusal('SIGNATURE_DOES_NOT_COVER_RECORDS');
  return false;
}

/** What the body of a request comes to, as far as that can be said without a database: OK or the code of its refusal. */
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

const valid = readVectors<Valid>('messages/valid');
const invalid = readVectors<Invalid>('messages/invalid');

describe.each(CRYPTO)('a signed request, verified %s', (_, crypto) => {
  test.each(valid)('is taken: $name: $about', async (vector) => {
    expect(await outcome(vector, crypto)).toBe('OK');
  });

  test.each(invalid)('is refused: $name: $about', async (vector) => {
    expect(await outcome(vector, crypto)).toBe(vector.code);
  });
});

test('there is a vector of either kind for every operation', () => {
  const named = OPERATIONS.map(({ name }) => name).sort();
  for (const vectors of [valid, invalid]) {
    expect([...new Set(vectors.map(({ operation }) => operation))].sort()).toEqual(named);
  }
});

describe('what a valid request stands for', () => {
  const signed = valid.filter(({ approver }) => approver === undefined);
  test.each(signed)('the message of $name', (vector) => {
    const { message, signature, nonce, timestamp } = read(vector);
    expect(canonicalJson(message)).toBe(vector.canonical);
    expect(Buffer.from(messageBytes(message)).toString('utf8')).toBe(vector.canonical);
    expect(signature).toBe(vector.signature);
    const said = JSON.parse(vector.canonical) as { nonce: string; timestamp: string };
    expect([nonce, timestamp]).toEqual([said.nonce, Date.parse(said.timestamp)]);
  });

  test.each(valid.filter(({ approver }) => approver !== undefined))('the entry of $name', (vector) => {
    expect(canonicalJson(readUnsigned(vector).message)).toBe(vector.canonical);
  });

  test.each(signed.filter(({ ledgerId }) => ledgerId !== undefined))('the ids that follow from $name', (vector) => {
    const operation = operationNamed(vector.operation);
    const request = read(vector);
    const ids = derivedIds(vector.ledgerId as LedgerId, request.signature);
    if (vector.beoId) expect(ids.beoId()).toBe(vector.beoId);
    if (vector.ieoId) expect(ids.ieoId()).toBe(vector.ieoId);
    if (vector.tokenId) {
      expect(ids.tokenId()).toBe(vector.tokenId);
      expect(operation.known(request)).toMatchObject({ tokenHash: vector.tokenHash, ownerSignature: vector.signature });
    }
    const { guardian, guardians = guardian ? [guardian] : [] } = (operation.seal(request.fields, ids, {})?.known ??
      {}) as {
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
