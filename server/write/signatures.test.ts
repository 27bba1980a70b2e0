import { randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';
import { A_DIGEST } from '../http/rest/test-refusal.ts';
import { freshDomain, newPerson, type Person, startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
let holder: Person;
let beoId: string;
beforeAll(async () => {
  service = await startTestService();
  holder = newPerson();
  const body = holder.sign('createBEO', { domain: freshDomain(), publicKey: holder.publicKey, recovery: null });
  beoId = (await service.post('/api/relayer/beo', body)).body.beo_id;
});
afterAll(() => service.stop());

const lock = (body: unknown) => service.post('/api/relayer/beo/lock', body);
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const fieldsOf = (): Record<string, Json> & { beoId: string } => ({
  beoId,
  nonce: randomUUID(),
  timestamp: new Date().toISOString(),
});
const signText = (text: string) => sign(null, Buffer.from(text), holder.privateKey).toString('base64');

async function expectRefused(body: unknown): Promise<void> {
  const answer = await lock(body);
  expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  expect(answer.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
}

describe('a signature over another message is refused:', () => {
  test('another function', async () => {
    await expectRefused(holder.sign('unlockBEO', { beoId }));
    await expectRefused(holder.sign('destroyBEO', { beoId }));
  });

  test('another nonce, timestamp or identity', async () => {
    const signed = holder.sign('lockBEO', { beoId });
    await expectRefused({ ...signed, nonce: randomUUID() });
    await expectRefused({ ...signed, timestamp: new Date(Date.now() - 1_000).toISOString() });
    await expectRefused({ ...signed, timestamp: signed.timestamp.replace('Z', '+00:00') });
    await expectRefused({ ...signed, beoId: beoId.toUpperCase() });
  });

  test('the same fields in another order', async () => {
    const fields = fieldsOf();
    const message = { function: 'lockBEO', ...fields };
    expect(canonicalJson(message)).not.toBe(JSON.stringify(message));
    await expectRefused({ ...fields, signature: signText(JSON.stringify(message)) });
  });

  test('the canonical message with white space, without the function, or with the signature', async () => {
    const fields = fieldsOf();
    const message = { function: 'lockBEO', ...fields };
    const sorted = JSON.parse(canonicalJson(message));
    await expectRefused({ ...fields, signature: signText(JSON.stringify(sorted, null, 1)) });
    await expectRefused({ ...fields, signature: signText(canonicalJson(fields)) });
    await expectRefused({ ...fields, signature: signText(canonicalJson({ ...message, signature: '' })) });
    await expectRefused({ ...fields, signature: signText(`${canonicalJson(message)}\n`) });
    const accepted = await lock({ ...fields, signature: signText(canonicalJson(message)) });
    expect(accepted.status).toBe(200);
    await service.post('/api/relayer/beo/unlock', holder.sign('unlockBEO', { beoId }));
  });

  test('a message that includes the unsigned reason', async () => {
    await expectRefused({ ...holder.sign('lockBEO', { beoId, reason: 'stolen' }) });
  });

  test('unsorted nested keys', async () => {
    const person = newPerson();
    const recovery = { guardians: [{ role: 'primary', name: 'A', contact: 'b' }] };
    const fields = {
      domain: freshDomain(),
      publicKey: person.publicKey,
      recovery,
      nonce: randomUUID(),
      timestamp: new Date().toISOString(),
    };
    const { domain, nonce, publicKey, timestamp } = fields;
    const flat = JSON.stringify({ domain, function: 'createBEO', nonce, publicKey, recovery, timestamp });
    const signature = sign(null, Buffer.from(flat), person.privateKey).toString('base64');
    const answer = await service.post('/api/relayer/beo', { ...fields, signature });
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
    expect(answer.body.details).toEqual({ expected_key: 'publicKey', message_sha256: A_DIGEST });
  });
});

describe('a signature that is not 64 bytes in canonical base64 is refused:', () => {
  test.each<[string, (valid: string) => string]>([
    ['without padding', (valid) => valid.replace(/=+$/, '')],
    ['base64url', (valid) => valid.replaceAll('+', '-').replaceAll('/', '_').replace(/^./, '_')],
    ['hex', (valid) => Buffer.from(valid, 'base64').toString('hex')],
    ['with a leading space', (valid) => ` ${valid}`],
    ['with a line break inside', (valid) => `${valid.slice(0, 44)}\n${valid.slice(44)}`],
    [
      'with trailing bits that are not zero',
      (valid) => valid.replace(/.==$/, (end) => `${nextLetter(end[0] ?? 'A')}==`),
    ],
    ['63 bytes', (valid) => Buffer.from(valid, 'base64').subarray(1).toString('base64')],
    ['65 bytes', (valid) => Buffer.concat([Buffer.from(valid, 'base64'), Buffer.alloc(1)]).toString('base64')],
    ['88 characters that are not base64', () => '!'.repeat(88)],
    ['zeros', () => Buffer.alloc(64).toString('base64')],
    ['S + L, which lax verifiers accept', (valid) => plusOrder(valid)],
    ['a flipped bit of R', (valid) => flipped(valid, 0)],
    ['a flipped bit of S', (valid) => flipped(valid, 40)],
  ])('%s', async (_, change) => {
    const signed = holder.sign('lockBEO', { beoId });
    await expectRefused({ ...signed, signature: change(signed.signature) });
  });

  const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const nextLetter = (letter: string) => LETTERS[LETTERS.indexOf(letter) + 1] ?? 'A';

  function plusOrder(valid: string): string {
    const bytes = Buffer.from(valid, 'base64');
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
    const encoded = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    return Buffer.concat([bytes.subarray(0, 32), encoded]).toString('base64');
  }

  function flipped(valid: string, at: number): string {
    const bytes = Buffer.from(valid, 'base64');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64');
  }
});

describe('a key of small order, under which any message verifies', () => {
  const SMALL_ORDER = [
    '0100000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  ];
  const forged = Buffer.concat([Buffer.from(SMALL_ORDER[0] ?? '', 'hex'), Buffer.alloc(32)]).toString('base64');

  test.each(SMALL_ORDER)('is refused: %s', async (publicKey) => {
    const fields = { domain: freshDomain(), publicKey, recovery: null, ...fieldsOf(), signature: forged };
    const { beoId: _, ...creation } = fields;
    const created = await service.post('/api/relayer/beo', creation);
    expect([created.status, created.body.code]).toEqual([400, 'PUBLIC_KEY_INVALID']);
    const rotated = await service.post(
      '/api/relayer/beo/rotate-key',
      holder.sign('rotateKey', { beoId, newPublicKey: publicKey }),
    );
    expect([rotated.status, rotated.body.code]).toEqual([400, 'PUBLIC_KEY_INVALID']);
    const recovery = { guardians: [{ name: 'A', contact: 'b', role: 'primary', public_key: publicKey }] };
    const person = newPerson();
    const bound = person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery });
    const guarded = await service.post('/api/relayer/beo', bound);
    expect([guarded.status, guarded.body.code]).toEqual([400, 'PUBLIC_KEY_INVALID']);
  });
});
