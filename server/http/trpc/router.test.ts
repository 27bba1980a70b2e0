import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { createCaller } from './router.ts';
import { publicError } from './trpc-errors.ts';

let product: TestService;

beforeAll(async () => {
  product = await startTestService({ RATE_LIMIT: 'on' });
});

afterAll(() => product.stop());

const callerAt = (address: string) => createCaller({ services: product.service.context, address });

const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => expect.fail('The call was accepted.'),
    (error: unknown) => ({ ...publicError(error), status: (error as { code: string }).code }),
  );

async function createIdentity() {
  const person = newPerson();
  const domain = freshDomain();
  const answer = await product.post(
    '/api/relayer/beo',
    person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null }),
  );
  expect(answer.status).toBe(201);
  return { domain, beo: answer.body.beo };
}

it('finds an identity by domain, id and transaction, as REST does', async () => {
  const { domain, beo } = await createIdentity();
  const call = callerAt('192.0.2.1');
  for (const reference of [domain, beo.beo_id, beo.arweave_tx]) {
    expect(await call.lookUp({ reference })).toMatchObject({
      outcome: 'found',
      identity: { beo_id: beo.beo_id, domain, public_key: beo.public_key, status: 'ACTIVE' },
    });
  }
});

it('returns the ledger and the readiness together', async () => {
  const { beo } = await createIdentity();
  const { ledger, readiness } = await callerAt('192.0.2.2').overview();
  expect(readiness.network).toMatchObject({ ok: true, kind: 'devnet', permanent: false });
  expect(ledger?.head).toMatchObject({ seq: expect.any(Number), id: beo.arweave_tx });
});

it('returns the other parts while the database is unavailable', async () => {
  const pool = new Pool({ host: '127.0.0.1', port: 1, max: 1 });
  const call = createCaller({ services: { ...product.service.context, pool, listPool: pool }, address: '192.0.2.6' });
  const { ledger, readiness } = await call.overview();
  expect(ledger).toBeNull();
  expect(readiness).toMatchObject({ status: 'unavailable', database: { ok: false }, network: { ok: true } });
  await pool.end();
});

it('distinguishes unknown and malformed names', async () => {
  const call = callerAt('192.0.2.3');
  expect(await call.lookUp({ reference: freshDomain() })).toEqual({ outcome: 'unknown', identity: null });
  expect(await call.lookUp({ reference: randomUUID() })).toEqual({ outcome: 'unknown', identity: null });
  expect(await call.lookUp({ reference: 'a_b.bsp' })).toEqual({ outcome: 'malformed', identity: null });
});

it('refuses malformed input with a code of the error table', async () => {
  expect(await errorOf(callerAt('192.0.2.3').lookUp({ reference: 'x'.repeat(301) }))).toMatchObject({
    code: 'VALIDATION_FAILED',
    status: 'BAD_REQUEST',
  });
});

it('limits calls per address and reports when to retry', async () => {
  const call = callerAt('192.0.2.4');
  const answers = await Promise.allSettled(
    Array.from({ length: 301 }, () => call.lookUp({ reference: 'unknown.bsp' })),
  );
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [publicError(answer.reason)] : []));
  expect(reasons).toEqual([
    {
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^Too many requests; try again in \d+ seconds\.$/),
      details: { retry_after_seconds: expect.any(Number) },
    },
  ]);
  expect(await callerAt('192.0.2.5').lookUp({ reference: 'unknown.bsp' })).toEqual({
    outcome: 'unknown',
    identity: null,
  });
});

it('returns no details of an internal error', () => {
  expect(publicError(new Error('password=hunter2'))).toEqual({
    code: 'INTERNAL',
    message: expect.not.stringContaining('hunter2'),
  });
});
