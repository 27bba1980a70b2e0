import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import { createBEO } from '../../protocol/operations/create-beo.ts';
import { DIRECT } from '../audit/test-operator.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { freshDomain, newPerson, type SignedBody, startTestService, type TestService } from '../test-service.ts';
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

/** The transaction, or the code of the refusal. */
const outcome = (body: SignedBody, charge = free) =>
  accept(service.service.context, createBEO, body, { ...DIRECT, charge }).then(
    ({ transactionId }) => transactionId,
    ({ code }: ProtocolError) => code,
  );

/** A charge that counts how often it is asked, and for whom. */
function counted(answer: () => ProtocolError | null) {
  const asked: string[] = [];
  const charge: Charge = async (key) => {
    asked.push(key);
    return answer();
  };
  return { asked, charge };
}

const nonces = async () => {
  const { rows } = await service.service.context.pool.query<{ count: number }>('SELECT count(*) FROM nonces');
  return rows[0]?.count;
};

describe('the key that signed', () => {
  test('is charged once, however many copies come at once, and never for one that was signed by another', async () => {
    const person = newPerson();
    const body = creation(person);
    const { asked, charge } = counted(() => null);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(body, charge)));
    expect(outcomes.filter((code) => code !== 'NONCE_REUSED')).toHaveLength(1);
    expect(asked).toEqual([person.publicKey]);
    expect(await outcome({ ...creation(person), signature: body.signature }, charge)).toBe('INVALID_SIGNATURE');
    expect(await outcome(body, charge)).toBe('NONCE_REUSED');
    expect(asked).toHaveLength(1);
  });

  test('has used its nonce when it was over its limit', async () => {
    const body = creation();
    const { charge } = counted(() => refusal('RATE_LIMITED'));
    expect(await outcome(body, charge)).toBe('RATE_LIMITED');
    expect(await outcome(body)).toBe('NONCE_REUSED');
  });

  test('can send the same request again when nothing could count it, and no copy slips through meanwhile', async () => {
    const body = creation();
    const before = await nonces();
    const { charge } = counted(() => refusal('UNAVAILABLE'));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(body, charge)));
    expect(outcomes).toEqual(outcomes.map(() => 'UNAVAILABLE'));
    expect(await nonces()).toBe(before);
    expect(await outcome(body)).toMatch(/^[\w-]{43}$/);
    expect(await outcome(body)).toBe('NONCE_REUSED');
  });
});

test('nonces are remembered as hashes, of the key and the nonce together', async () => {
  const [one, two] = [newPerson(), newPerson()];
  const nonce = `shared by two ${Math.random()}`;
  for (const person of [one, two]) {
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    expect(await outcome(person.sign('createBEO', fields, { nonce }))).toMatch(/^[\w-]{43}$/);
  }
  const { rows } = await service.service.context.pool.query<{ hash: Buffer }>('SELECT hash FROM nonces');
  for (const { hash } of rows) expect([hash.length, hash.includes(nonce)]).toEqual([32, false]);
});

test('one operation that fails for a reason nobody foresaw does not take its neighbours with it', async () => {
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

test('what was signed before a restore began a new epoch is refused: its nonce may be among those that were lost', async () => {
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
