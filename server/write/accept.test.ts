import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIRECT } from '../../auditor/audit/test-operator.ts';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import { createBEO } from '../../protocol/operations/create-beo.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import {
  freshDomain,
  newPerson,
  type SignedBody,
  startTestService,
  type TestService,
} from '../testing/test-service.ts';
import { accept } from './accept.ts';
import type { Charge } from './submission.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const free: Charge = async () => null;

function creation(person = newPerson()): SignedBody {
  return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
}

/** The transaction, or the error code. */
const outcome = (body: SignedBody, charge = free) =>
  accept(service.service.context, createBEO, body, { ...DIRECT, charge }).then(
    ({ transactionId }) => transactionId,
    ({ code }: ProtocolError) => code,
  );

/** A charge that records the keys it is called with. */
function recordingCharge(result: () => ProtocolError | null) {
  const charged: string[] = [];
  const charge: Charge = async (key) => {
    charged.push(key);
    return result();
  };
  return { charged, charge };
}

const nonceCount = async () => {
  const { rows } = await service.service.context.pool.query<{ count: number }>('SELECT count(*) FROM nonces');
  return rows[0]?.count;
};

describe('the signing key', () => {
  test('is charged once for concurrent copies of a request, and not for another key’s signature', async () => {
    const person = newPerson();
    const body = creation(person);
    const { charged, charge } = recordingCharge(() => null);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(body, charge)));
    expect(outcomes.filter((code) => code !== 'NONCE_REUSED')).toHaveLength(1);
    expect(charged).toEqual([person.publicKey]);
    expect(await outcome({ ...creation(person), signature: body.signature }, charge)).toBe('INVALID_SIGNATURE');
    expect(await outcome(body, charge)).toBe('NONCE_REUSED');
    expect(charged).toHaveLength(1);
  });

  test('uses up its nonce when it exceeds its limit', async () => {
    const body = creation();
    const { charge } = recordingCharge(() => refusal('RATE_LIMITED'));
    expect(await outcome(body, charge)).toBe('RATE_LIMITED');
    expect(await outcome(body)).toBe('NONCE_REUSED');
  });

  test('can resend a request that was refused because the rate limiter was unavailable, even concurrently', async () => {
    const body = creation();
    const before = await nonceCount();
    const { charge } = recordingCharge(() => refusal('UNAVAILABLE'));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(body, charge)));
    expect(outcomes).toEqual(outcomes.map(() => 'UNAVAILABLE'));
    expect(await nonceCount()).toBe(before);
    expect(await outcome(body)).toMatch(/^[\w-]{43}$/);
    expect(await outcome(body)).toBe('NONCE_REUSED');
  });
});

test('nonces are stored as hashes of key and nonce', async () => {
  const nonce = `shared ${Math.random()}`;
  for (const person of [newPerson(), newPerson()]) {
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    expect(await outcome(person.sign('createBEO', fields, { nonce }))).toMatch(/^[\w-]{43}$/);
  }
  const { rows } = await service.service.context.pool.query<{ hash: Buffer }>('SELECT hash FROM nonces');
  for (const { hash } of rows) expect([hash.length, hash.includes(nonce)]).toEqual([32, false]);
});

test('an operation that fails unexpectedly does not affect concurrent ones', async () => {
  const failing: Charge = () => Promise.resolve(refusal('INTERNAL'));
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, index) => outcome(creation(), index % 3 === 1 ? failing : free)),
  );
  for (const [index, result] of outcomes.entries()) {
    if (index % 3 === 1) expect(result).toBe('INTERNAL');
    else expect(result).toMatch(/^[\w-]{43}$/);
  }
  await wholeChain(service.service.context.pool);
});

test('an operation signed before the epoch began is refused, since the restore may have lost its nonce', async () => {
  const { pool } = service.service.context;
  const old = creation();
  const { rows } = await pool.query<{ at: string }>(
    `UPDATE ledger_head SET epoch = epoch + 1, epoch_began_at = clock_timestamp() + interval '1 second'
     RETURNING epoch_began_at AS at`,
  );
  expect(await outcome(old)).toBe('TIMESTAMP_TOO_OLD');
  const began = rows[0]?.at ?? '';
  const person = newPerson();
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
  expect(await outcome(person.sign('createBEO', fields, { timestamp: began }))).toMatch(/^[\w-]{43}$/);
});
