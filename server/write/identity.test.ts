import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedIds } from '../../protocol/ids.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../ledger/test-chain.ts';
import { createClock } from '../platform/db/clock.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';

let shift = 0;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
});
afterAll(() => service.stop());

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function created() {
  const person = newPerson();
  const domain = freshDomain();
  const body = person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null });
  const answer = await service.post('/api/relayer/beo', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { person, domain, sent: body, answer, beoId: answer.body.beo_id as string };
}

const act = (path: string, body: unknown) => service.post(`/api/relayer/beo/${path}`, body);
const read = async (reference: string) => (await service.get(`/api/beos/${reference}`)).body.beo;

describe('creating an identity', () => {
  test('returns the identity, the transaction and a receipt', async () => {
    const { person, domain, sent, answer } = await created();
    const { body, headers } = answer;
    expect(Object.keys(body).sort()).toEqual(['beo', 'beo_id', 'domain', 'invitations', 'receipt', 'transactionId']);
    expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { ledgerId } = service.service.context;
    expect(body).toMatchObject({ beo_id: derivedIds(ledgerId, sent.signature).beoId(), domain, invitations: [] });
    expect(body.beo_id).toMatch(UUID_V5);
    expect(body.beo).toEqual({
      beo_id: body.beo_id,
      domain,
      public_key: person.publicKey,
      key_version: 1,
      status: 'ACTIVE',
      created_at: expect.stringMatching(INSTANT),
      updated_at: body.beo.created_at,
      locked_at: null,
      version: '1.0.0',
      recovery: { enabled: false, threshold: 2, confirmed_only: false, guardians: [] },
      active_recovery: null,
      arweave_tx: body.transactionId,
      ledger: { seq: expect.any(Number), status: 'ACCEPTED' },
    });
  });

  test('returns a receipt that is a signed data item with the unchanged message', async () => {
    const { person, sent, answer, beoId } = await created();
    const { item, entry } = openReceipt(answer.body.receipt);
    expect(item.id).toBe(answer.body.transactionId);
    expect(item.signatureType).toBe(2);
    const { signature, ...signed } = sent;
    expect(entry).toEqual({
      v: 1,
      epoch: 1,
      seq: answer.body.beo.ledger.seq,
      prev: entry.seq === 1 ? null : expect.stringMatching(/^[\w-]{43}$/),
      accepted_at: answer.body.beo.created_at,
      function: 'createBEO',
      entity_id: beoId,
      signer: person.publicKey,
      signature,
      message: { function: 'createBEO', ...signed },
    });
    const { body } = await service.get('/api/ledger');
    expect(Buffer.from(item.owner).toString('hex')).toBe(body.relayer_public_key);
  });

  test('makes it readable by id, by domain in any case, and by the id of the creating transaction', async () => {
    const { domain, answer, beoId } = await created();
    const found = await service.get(`/api/beos/${beoId}`);
    expect(found.status).toBe(200);
    expect(Object.keys(found.body)).toEqual(['beo']);
    expect({ ...found.body.beo, ledger: null }).toEqual({ ...answer.body.beo, ledger: null });
    for (const path of [
      `/api/beos/domain/${domain}`,
      `/api/beos/domain/${domain.toUpperCase()}`,
      `/api/beos/${domain}`,
      `/api/beos/${beoId.toUpperCase()}`,
      `/api/beos/${answer.body.transactionId}`,
    ]) {
      expect((await service.get(path)).body.beo?.beo_id, path).toBe(beoId);
    }
  });

  test('accepts domain and key in upper case: stores both in lower case and the message as signed', async () => {
    const person = newPerson();
    const domain = freshDomain();
    const fields = { domain: domain.toUpperCase(), publicKey: person.publicKey.toUpperCase(), recovery: null };
    const { status, body } = await service.post('/api/relayer/beo', person.sign('createBEO', fields));
    expect(status).toBe(201);
    expect(body.beo).toMatchObject({ domain, public_key: person.publicKey });
    expect(openReceipt(body.receipt).entry).toMatchObject({ message: fields, signer: person.publicKey });
  });

  test('reaches FINAL on the network', async () => {
    const { answer, beoId } = await created();
    const id = answer.body.transactionId as string;
    const transaction = async () => (await service.get(`/api/transactions/${id}`)).body.transaction;
    expect(await transaction()).toMatchObject({ id, entity_id: beoId, function: 'createBEO', epoch: 1 });
    await expect.poll(transaction, { interval: 100 }).toMatchObject({ status: 'FINAL' });
    const final = await transaction();
    expect(Object.keys(final).sort()).toEqual(
      [
        'accepted_at',
        'confirmations',
        'entity_id',
        'epoch',
        'function',
        'id',
        'item',
        'l1_tx',
        'prev',
        'seq',
        'status',
      ].sort(),
    );
    expect(final.item).toBe(answer.body.receipt);
    expect(final.l1_tx).toMatch(/^[\w-]{43}$/);
    expect(final.confirmations).toBeGreaterThanOrEqual(18);
    expect(await service.service.context.arweave.status(final.l1_tx)).toMatchObject({ state: 'mined' });
    expect((await read(beoId)).ledger).toEqual({ seq: final.seq, status: 'FINAL' });
  });
});

describe('the holder', () => {
  test('locks and unlocks by any reference to the identity', async () => {
    const { person, domain, answer, beoId } = await created();
    const locked = await act('lock', { ...person.sign('lockBEO', { beoId: domain }), reason: 'phone lost' });
    expect(locked.status).toBe(200);
    expect(Object.keys(locked.body).sort()).toEqual(['locked_at', 'receipt', 'transactionId']);
    expect(locked.headers.get('location')).toBe(`/api/transactions/${locked.body.transactionId}`);
    const { entry } = openReceipt(locked.body.receipt);
    expect(entry).toMatchObject({ function: 'lockBEO', entity_id: beoId, message: { beoId: domain } });
    expect(JSON.stringify(entry)).not.toContain('phone lost');
    const at = locked.body.locked_at;
    expect(await read(beoId)).toMatchObject({ status: 'LOCKED', locked_at: at, updated_at: at });

    expect((await act('lock', person.sign('lockBEO', { beoId }))).body).toMatchObject({
      code: 'ALREADY_LOCKED',
      details: { locked_at: at },
    });
    const unlocked = await act('unlock', person.sign('unlockBEO', { beoId: answer.body.transactionId }));
    expect(Object.keys(unlocked.body).sort()).toEqual(['receipt', 'transactionId', 'unlocked_at']);
    expect(await read(beoId)).toMatchObject({ status: 'ACTIVE', locked_at: null });
    expect((await act('unlock', person.sign('unlockBEO', { beoId }))).body.code).toBe('NOT_LOCKED');
  });

  test('rotates to a new key, locked or not; the old key is then refused', async () => {
    const { person, beoId } = await created();
    const successor = newPerson();
    await act('lock', person.sign('lockBEO', { beoId }));
    const rotated = await act(
      'rotate-key',
      person.sign('rotateKey', { beoId, newPublicKey: successor.publicKey.toUpperCase() }),
    );
    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({
      transactionId: expect.any(String),
      receipt: expect.any(String),
      key_version: 2,
      public_key: successor.publicKey,
    });
    expect(await read(beoId)).toMatchObject({ status: 'LOCKED', key_version: 2, public_key: successor.publicKey });
    const refused = await act('unlock', person.sign('unlockBEO', { beoId }));
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ code: 'INVALID_SIGNATURE', details: { expected_key: 'BEO' } });
    expect((await act('unlock', successor.sign('unlockBEO', { beoId }))).status).toBe(200);
    const same = await act('rotate-key', successor.sign('rotateKey', { beoId, newPublicKey: successor.publicKey }));
    expect(same.body.code).toBe('KEY_UNCHANGED');
  });

  test('destroys the identity; its domain is never given again, and only a digest of it stays', async () => {
    const { person, domain, answer, beoId } = await created();
    const destroyed = await act('destroy', person.sign('destroyBEO', { beoId }));
    expect(Object.keys(destroyed.body).sort()).toEqual(['destroyed_at', 'receipt', 'transactionId']);
    expect(await read(beoId)).toEqual({
      ...answer.body.beo,
      domain: null,
      public_key: null,
      status: 'DESTROYED',
      updated_at: destroyed.body.destroyed_at,
      ledger: expect.objectContaining({ seq: openReceipt(destroyed.body.receipt).entry.seq }),
    });
    expect((await service.get(`/api/beos/domain/${domain}`)).body.code).toBe('BEO_NOT_FOUND');
    expect((await act('lock', person.sign('lockBEO', { beoId }))).body.code).toBe('BEO_DESTROYED');
    expect((await act('lock', person.sign('lockBEO', { beoId: domain }))).body.code).toBe('BEO_NOT_FOUND');

    const next = newPerson();
    const createWithDomain = () =>
      service.post(
        '/api/relayer/beo',
        next.sign(
          'createBEO',
          { domain, publicKey: next.publicKey, recovery: null },
          { nonce: randomUUID(), timestamp: new Date(Date.now() + shift).toISOString() },
        ),
      );
    expectRefusal(await createWithDomain(), 'DOMAIN_TAKEN');
    shift = 10.1 * 60_000;
    expectRefusal(await createWithDomain(), 'DOMAIN_TAKEN');
    const { pool } = service.service.context;
    await pool.query('DELETE FROM names WHERE id = $1', [domain]);
    const refused = await createWithDomain();
    expectRefusal(refused, 'DOMAIN_TAKEN');
    expect(refused.body.details).toBeUndefined();
    expect((await service.get(`/api/beos/domain/${domain}`)).body.code).toBe('BEO_NOT_FOUND');
    const digest = createHash('sha256').update(domain).digest();
    expect((await pool.query('SELECT FROM retired_names WHERE digest = $1', [digest])).rowCount).toBe(1);
  });

  test('has left a valid chain', async () => {
    expect(await wholeChain(service.service.context.pool)).not.toHaveLength(0);
  });
});
