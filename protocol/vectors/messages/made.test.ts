import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { INVALID } from './invalid.ts';
import { type Case, HOLDER_SEED, SIGNATURE } from './texts.ts';
import { VALID } from './valid.ts';

/**
 * The vectors of this folder are made here and committed: `npx vitest run protocol/vectors -u`. The messages are written out
 * by hand, signatures and ids come from node:crypto: nothing of what the vectors are to prove has a part in them.
 */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
const LEDGER_ID = createHash('sha256').update(Buffer.alloc(32, 9)).digest('hex');

function signText(text: string, seed: Uint8Array) {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return {
    signature: sign(null, Buffer.from(text), key).toString('base64'),
    publicKey: Buffer.from(x ?? '', 'base64url').toString('hex'),
  };
}

function idOf(name: string): string {
  const hash = createHash('sha1').update(URL_NAMESPACE).update(name).digest();
  const hex = hash.toString('hex');
  const variant = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

const roles = ['primary', 'secondary', 'tertiary'] as const;

function idsOf(signature: string, signed: string) {
  const name = `perpetua:${LEDGER_ID}:${signature}`;
  const guardians = roles
    .filter((role) => signed.includes(`"role":"${role}"`))
    .map((role) => [
      role,
      { guardianId: idOf(`${name}:guardian:${role}`), invitationId: idOf(`${name}:invitation:${role}`) },
    ]);
  return { beoId: idOf(name), guardians: Object.fromEntries(guardians) };
}

function made({ operation, body, signed, seed = HOLDER_SEED, spoil = (text) => text }: Case) {
  const { signature, publicKey } = signText(signed, seed);
  return { operation, body: body.replaceAll(SIGNATURE, spoil(signature)), signature, publicKey };
}

function validVector(vector: Case) {
  const { operation, body, signature, publicKey } = made(vector);
  const ids = operation === 'createBEO' ? { ledgerId: LEDGER_ID, ...idsOf(signature, vector.signed) } : {};
  return { about: vector.about, operation, body, publicKey, canonical: vector.signed, signature, ...ids };
}

const valid = Object.entries(VALID).map(([name, vector]) => [name, validVector(vector)] as const);
const holder = signText('', HOLDER_SEED).publicKey;
const invalid = Object.entries(INVALID).map(([name, vector]) => {
  const { operation, body } = made(vector);
  return [name, { about: vector.about, operation, body, publicKey: holder, code: vector.code }] as const;
});

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe.each([
  ['valid', valid],
  ['invalid', invalid],
] as const)('%s', (folder, vectors) => {
  test.each<readonly [string, object]>(vectors)('%s', async (name, vector) => {
    const text = `${ascii(JSON.stringify(vector, null, 2))}\n`;
    await expect(text).toMatchFileSnapshot(`./${folder}/${name}.json`);
  });

  test('nothing else lies in the folder', async () => {
    const files = await readdir(new URL(`./${folder}/`, import.meta.url));
    expect(files.sort()).toEqual(vectors.map(([name]) => `${name}.json`).sort());
  });
});
