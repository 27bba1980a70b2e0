import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { INVALID } from './invalid.ts';
import { INVALID_CONSENTS } from './invalid-consents.ts';
import { INVALID_GUARDIANS } from './invalid-guardians.ts';
import { INVALID_RECORDS } from './invalid-records.ts';
import { INVALID_LEDGER_IDS, VALID_LEDGER_IDS } from './ledger-ids.ts';
import { type Case, HOLDER_SEED, LEDGER_ID, SIGNATURE } from './texts.ts';
import { VALID } from './valid.ts';
import { VALID_CONSENTS } from './valid-consents.ts';
import { VALID_GUARDIANS } from './valid-guardians.ts';
import { VALID_RECORDS } from './valid-records.ts';

/**
 * The vectors of this folder are made here and committed: `npx vitest run protocol/vectors -u`. The messages are written out
 * by hand, signatures and ids come from node:crypto: nothing of what the vectors are to prove has a part in them.
 */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

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

const guardiansOf = (name: string, signed: string) =>
  Object.fromEntries(
    roles
      .filter((role) => signed.includes(`"role":"${role}"`))
      .map((role) => [
        role,
        { guardianId: idOf(`${name}:guardian:${role}`), invitationId: idOf(`${name}:invitation:${role}`) },
      ]),
  );

/** What follows from a signature, for the operations from which something does. */
function idsOf(operation: string, signature: string, signed: string): object {
  const name = `perpetua:${LEDGER_ID}:${signature}`;
  const ledgerId = LEDGER_ID;
  switch (operation) {
    case 'createBEO':
      return { ledgerId, beoId: idOf(name), guardians: guardiansOf(name, signed) };
    case 'createIEO':
      return { ledgerId, ieoId: idOf(name) };
    case 'updateIEORecovery':
    case 'updateBEORecovery':
    case 'inviteGuardian':
      return { ledgerId, guardians: guardiansOf(name, signed) };
    case 'grantConsent':
      return {
        ledgerId,
        tokenId: `tok_${idOf(name)}`,
        tokenHash: createHash('sha256').update(signed).digest('hex'),
      };
    default:
      return {};
  }
}

function made({ operation, body, signed, owner = HOLDER_SEED, seed = owner, spoil = (text) => text }: Case) {
  const { signature, publicKey } = signText(signed, seed);
  return { operation, body: body.replaceAll(SIGNATURE, spoil(signature)), signature, publicKey };
}

function validVector(vector: Case) {
  const { about, approver, signed: canonical } = vector;
  const { operation, body, signature, publicKey } = made(vector);
  if (approver) return { about, operation, approver, body, canonical };
  return { about, operation, body, publicKey, canonical, signature, ...idsOf(operation, signature, canonical) };
}

function invalidVector(vector: Case & { readonly code: string }) {
  const { about, approver, code } = vector;
  const { operation, body } = made(vector);
  if (approver) return { about, operation, approver, body, code };
  return { about, operation, body, publicKey: signText('', vector.owner ?? HOLDER_SEED).publicKey, code };
}

const valid = Object.entries({
  ...VALID,
  ...VALID_CONSENTS,
  ...VALID_GUARDIANS,
  ...VALID_RECORDS,
  ...VALID_LEDGER_IDS,
}).map(([name, vector]) => [name, validVector(vector)] as const);
const invalid = Object.entries({
  ...INVALID,
  ...INVALID_CONSENTS,
  ...INVALID_GUARDIANS,
  ...INVALID_RECORDS,
  ...INVALID_LEDGER_IDS,
}).map(([name, vector]) => [name, invalidVector(vector)] as const);

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('the ledger of the vectors is named after its relayer’s key', () => {
  expect(LEDGER_ID).toBe(createHash('sha256').update(Buffer.alloc(32, 9)).digest('hex'));
});

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
