import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { TransactionId } from '../../../protocol/ids.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { publicKeyOf, signBytes } from '../../../protocol/signing/ed25519.ts';
import { toBase64 } from '../../../protocol/signing/encoding.ts';
import { messageBytes } from '../../../protocol/signing/message-bytes.ts';
import { sealedDigest } from '../../../protocol/signing/sealing.ts';
import { createItemSigner } from '../../ledger/ans104.ts';
import { chain, type Draft } from '../../ledger/chain.ts';

const DOCUMENT = new URL('../../../docs/cryptography.md', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'perpetua-recipe-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const recipe = /```js\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8'))?.[1] ?? '';
writeFileSync(join(directory, 'check-receipt.mjs'), recipe);

const pkcs8 = (seed: Uint8Array) => Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
const relayerSeed = new Uint8Array(32).fill(1);
const relayer = publicKeyOf(relayerSeed);
const relayerKey = createPrivateKey({ key: pkcs8(relayerSeed), format: 'der', type: 'pkcs8' });
const signer = createItemSigner(relayerKey, Buffer.from(relayer, 'hex'));

const seed = new Uint8Array(32).fill(2);
const holder = publicKeyOf(seed);
const head = { epoch: 1, seq: 41, id: `${'A'.repeat(42)}E` as TransactionId };

function signedBody(functionName: string, fields: Record<string, Json>) {
  const request = { ...fields, nonce: 'é'.repeat(16), timestamp: '2026-01-31T12:00:00.000Z' };
  const message = { function: functionName, ...request };
  const signature = signBytes(seed, messageBytes(message));
  return { message, signature, body: { ...request, signature: toBase64(signature) } };
}

function receiptOf(draft: Draft) {
  const { id, item } = chain(signer, head, draft, '2026-01-31T12:00:00.100Z');
  return { transactionId: id as string, receipt: item.toString('base64') };
}

function run(answer: object, body: object = {}, key = relayer) {
  writeFileSync(join(directory, 'answer.json'), JSON.stringify(answer));
  writeFileSync(join(directory, 'body.json'), JSON.stringify(body));
  const args = ['check-receipt.mjs', key, 'answer.json', 'body.json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: directory,
    encoding: 'utf8',
    timeout: 240_000,
  });
  expect(stderr).toBe('');
  return { status, failed: [...stdout.matchAll(/'([^']+)': false/g)].map(([, name]) => name) };
}

const lock = signedBody('lockBEO', { beoId: 'maria.bsp' });
const publicReceipt = receiptOf({
  function: 'lockBEO',
  entity_id: 'maria',
  signer: holder,
  signature: lock.body.signature,
  message: lock.message,
});

describe('the recipe of docs/cryptography.md', () => {
  test('accepts a valid receipt', () => {
    expect(run(publicReceipt)).toEqual({ status: 0, failed: [] });
  });

  test('accepts a sealed receipt with the body and the salt', () => {
    const recovery = { guardians: [{ name: 'Ana', contact: 'ana@example.org', role: 'primary' }] };
    const create = signedBody('createBEO', { domain: 'maria.bsp', publicKey: holder, recovery });
    const salt = createHash('sha256').update('salt').digest();
    const sealed = sealedDigest(salt, create.signature, canonicalJson(create.message));
    const common = { function: 'createBEO', entity_id: 'maria', signer: holder, signature: null };
    const answer = { ...receiptOf({ ...common, sealed, public: { domain: 'maria.bsp' } }), salt: salt.toString('hex') };
    expect(run(answer, create.body)).toEqual({ status: 0, failed: [] });
    const other = { ...create.body, domain: 'other.bsp' };
    expect(run(answer, other)).toEqual({ status: 1, failed: ['it seals what I signed'] });
  });

  test('reports what is wrong with an invalid receipt', () => {
    const otherRelayer = publicKeyOf(new Uint8Array(32).fill(3));
    expect(run(publicReceipt, {}, otherRelayer)).toEqual({ status: 1, failed: ['the relayer signed it'] });
    expect(run({ ...publicReceipt, transactionId: 'A'.repeat(43) }).failed).toEqual(['its id is the transactionId']);

    const forged = receiptOf({
      function: 'unlockBEO',
      entity_id: 'maria',
      signer: holder,
      signature: lock.body.signature,
      message: { ...lock.message, function: 'unlockBEO' },
    });
    expect(run(forged).failed).toEqual(['it holds what I signed']);

    const foreign = signedBody('lockBEO', { beoId: 'maria.bsp', ledgerId: 'ab'.repeat(32) });
    const { signature } = foreign.body;
    const replayed = { function: 'lockBEO', entity_id: 'maria', signer: holder, signature, message: foreign.message };
    expect(run(receiptOf(replayed)).failed).toEqual(['it is for this ledger']);

    const changed = Buffer.from(publicReceipt.receipt, 'base64');
    changed[100] = (changed[100] ?? 0) ^ 1;
    expect(run({ ...publicReceipt, receipt: changed.toString('base64') }).failed).toEqual([
      'the relayer signed it',
      'it is anchored in its place',
    ]);
  });
});
