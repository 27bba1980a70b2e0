import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../protocol/canonical-json.ts';
import { decodeSignature, isStrictPublicKey, verifySignature } from '../../protocol/ed25519.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { derivedIds, GUARDIAN_ROLES, type LedgerId } from '../../protocol/ids.ts';
import { messageBytes, readSignedRequest } from '../../protocol/message.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import { isStrictPublicKeyNatively, verifyNatively } from './ed25519.ts';
import { readVectors } from './test-vectors.ts';

interface Valid {
  readonly about: string;
  readonly operation: string;
  readonly body: string;
  readonly publicKey: string;
  readonly canonical: string;
  readonly signature: string;
  readonly ledgerId?: string;
  readonly beoId?: string;
  readonly guardians?: Record<string, { guardianId: string; invitationId: string }>;
}

interface Invalid {
  readonly about: string;
  readonly operation: string;
  readonly body: string;
  /** The current key of the identity that the operation is on. */
  readonly publicKey: string;
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

const read = ({ operation, body }: Pick<Valid, 'operation' | 'body'>) =>
  readSignedRequest(operationNamed(operation), JSON.parse(body) as Json, 'bsp');

/** What the body of a request comes to, as far as that can be said without a database: OK or the code of its refusal. */
async function outcome(vector: Pick<Valid, 'operation' | 'body' | 'publicKey'>, crypto: Crypto): Promise<string> {
  const operation = operationNamed(vector.operation);
  try {
    const { fields, message, signature } = read(vector);
    if (!operation.introduces(fields).keys.every(crypto.isStrict)) return 'PUBLIC_KEY_INVALID';
    const signer = operation.signer === 'target' ? vector.publicKey : String(fields[operation.signer.field]);
    const bytes = decodeSignature(signature);
    const verified = bytes !== null && (await crypto.verify(signer, messageBytes(message), bytes));
    return verified ? 'OK' : 'INVALID_SIGNATURE';
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

describe('what a valid request stands for', () => {
  test.each(valid)('the message of $name', (vector) => {
    const { message, signature, nonce, timestamp } = read(vector);
    expect(canonicalJson(message)).toBe(vector.canonical);
    expect(Buffer.from(messageBytes(message)).toString('utf8')).toBe(vector.canonical);
    expect(signature).toBe(vector.signature);
    const signed = JSON.parse(vector.canonical) as { nonce: string; timestamp: string };
    expect([nonce, timestamp]).toEqual([signed.nonce, Date.parse(signed.timestamp)]);
  });

  const created = valid.filter(({ operation }) => operation === 'createBEO');
  test.each(created)('the ids that follow from $name', (vector) => {
    const { fields, signature } = read(vector);
    const ids = derivedIds(vector.ledgerId as LedgerId, signature);
    expect(ids.beoId()).toBe(vector.beoId);
    const sealing = operationNamed('createBEO').seal(fields, ids);
    const invited = sealing?.invited ?? [];
    expect(Object.fromEntries(invited.map(({ role, ...rest }) => [role, rest]))).toEqual(vector.guardians);
    for (const role of GUARDIAN_ROLES.filter((role) => vector.guardians?.[role])) {
      expect({ guardianId: ids.guardianId(role), invitationId: ids.invitationId(role) }).toEqual(
        vector.guardians?.[role],
      );
    }
  });
});
