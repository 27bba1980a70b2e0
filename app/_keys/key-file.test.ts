import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../../protocol/signing/encoding.ts';
import {
  COST,
  type KeyFile,
  keyFileName,
  MAX_KEY_FILE_BYTES,
  openKeyFile,
  readKeyFile,
  sealKeyFile,
} from './key-file.ts';
import { type Derive, derive } from './scrypt.ts';
import { openedSecret } from './secret.ts';
import keys from './vectors/key-file.json' with { type: 'json' };
import passphrases from './vectors/key-file-passphrases.json' with { type: 'json' };

const CHEAP = { N: 2 ** 14, r: 8, p: 1 };
const PASSPHRASE = 'cinco cavalos à mesa';
const entropy = hexToBytes(keys.entropy);
const secret = { holds: 'entropy', bytes: entropy } as const;
const content = {
  secret,
  publicKey: keys.file.public_key,
  purpose: 'guardian',
  beoDomain: 'ana.bsp',
  createdAt: new Date('2026-11-21T14:00:00.000Z'),
} as const;

/** The same as `derive` in a tenth of the time. */
const natively: Derive = async ({ passphrase, salt, cost }) => scryptSync(passphrase, salt, 32, cost);
const sealed = (passphrase = PASSPHRASE) => sealKeyFile(content, passphrase, { derive: natively, cost: CHEAP });
const open = (file: KeyFile, passphrase = PASSPHRASE) => openKeyFile(file, passphrase, { derive: natively });

function readable(text: string): KeyFile {
  const read = readKeyFile(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.file;
}

describe('a key file', () => {
  test('of the test vectors opens, with either Unicode form of the passphrase', async () => {
    const file = readable(JSON.stringify(keys.file));
    const passphrase = keys.passphrase.normalize('NFD');
    expect(await openKeyFile(file, passphrase, { derive })).toMatchObject({ key: { secret } });
  });

  test.each(passphrases.cases)('of version $file.version opens as keyboards write “$derivedFrom”', async (vector) => {
    const file = readable(JSON.stringify(vector.file));
    for (const typed of vector.typed) expect(await open(file, typed), typed).toMatchObject({ key: { secret } });
    expect(await open(file, `${vector.derivedFrom}!`)).toEqual({ problem: 'passphrase' });
  });

  test('is new under a normalized passphrase, and opens however a keyboard writes it', async () => {
    const file = readable(await sealed('don’t  “stop” – five horses'));
    expect(file.version).toBe(2);
    expect(await open(file, 'don\'t "stop" -- five horses')).toMatchObject({ key: { secret } });
  });

  test('derives once for a passphrase that every keyboard writes alike, and reports one progress', async () => {
    const derivations: string[] = [];
    const fractions: number[] = [];
    const counted: typeof derive = (derivation, onProgress) => {
      derivations.push(derivation.passphrase);
      return derive(derivation, onProgress);
    };
    const vector = readable(JSON.stringify(passphrases.cases[1]?.file));
    const onProgress = (fraction: number) => fractions.push(fraction);
    expect(await openKeyFile(vector, 'four words for this', { derive: counted })).toEqual({ problem: 'passphrase' });
    expect(derivations).toEqual(['four words for this']);
    expect(await openKeyFile(vector, "don't", { derive: counted, onProgress })).toEqual({ problem: 'passphrase' });
    expect(derivations.slice(1)).toEqual(["don't", 'don’t']);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  test('opens with its passphrase and contains the key', async () => {
    const file = readable(await sealed());
    expect(await open(file)).toMatchObject({ key: { secret } });
    expect(await open(file, ` ${PASSPHRASE} `)).toMatchObject({ key: { secret } });
  });

  test.each([['cinco cavalos a mesa'], ['Cinco cavalos à mesa'], ['']])('does not open with %j', async (passphrase) => {
    expect(await open(readable(await sealed()), passphrase)).toEqual({ problem: 'passphrase' });
  });

  test('shows its identity in plain text, and nothing of the key', async () => {
    const text = await sealed();
    expect(JSON.parse(text)).toMatchObject({
      format: 'perpetua-key',
      version: 2,
      purpose: 'guardian',
      beo_domain: 'ana.bsp',
      public_key: keys.file.public_key,
      created_at: '2026-11-21T14:00:00.000Z',
    });
    expect(text).not.toContain(bytesToHex(entropy).slice(0, 8));
    expect(text).not.toContain(PASSPHRASE);
  });

  test('has a new salt, nonce and ciphertext each time', async () => {
    const [first, second] = [readable(await sealed()), readable(await sealed())];
    expect(first.kdf.salt).not.toBe(second.kdf.salt);
    expect(first.cipher.nonce).not.toBe(second.cipher.nonce);
    expect(second.ciphertext).not.toBe(first.ciphertext);
  });

  test('uses the default scrypt cost, and reports the progress', async () => {
    const fractions: number[] = [];
    const text = await sealKeyFile(content, PASSPHRASE, { derive, onProgress: (fraction) => fractions.push(fraction) });
    expect(readable(text).kdf).toMatchObject(COST);
    expect(COST).toEqual({ N: 131_072, r: 8, p: 1 });
    expect(fractions.length).toBeGreaterThan(20);
    expect(fractions.length).toBeLessThanOrEqual(101);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  test.each([
    ['purpose', { purpose: 'holder' }],
    ['domain', { beo_domain: 'eva.bsp' }],
    ['public key', { public_key: 'a'.repeat(64) }],
    ['date', { created_at: '2026-11-22T14:00:00.000Z' }],
  ] as const)('does not open when its %s was changed', async (_, change) => {
    expect(await open({ ...readable(await sealed()), ...change })).toEqual({ problem: 'passphrase' });
  });

  test('contains the seed of an imported key, marked so in an authenticated member', async () => {
    const seed = { holds: 'seed', bytes: entropy } as const;
    const { publicKey } = await openedSecret(seed);
    const text = await sealKeyFile({ ...content, secret: seed, publicKey }, PASSPHRASE, {
      derive: natively,
      cost: CHEAP,
    });
    const file = readable(text);
    expect(file.holds).toBe('seed');
    expect(await open(file)).toEqual({ key: { secret: seed, seed: entropy, publicKey } });
    const { holds: _, ...unmarked } = file;
    expect(await open(unmarked)).toEqual({ problem: 'passphrase' });
  });

  test('is damaged if its key has another public key', async () => {
    const text = await sealKeyFile({ ...content, publicKey: 'a'.repeat(64) }, PASSPHRASE, {
      derive: natively,
      cost: CHEAP,
    });
    expect(await open(readable(text))).toEqual({ problem: 'damaged' });
  });

  test('does not open on a device that cannot derive the key', async () => {
    const failing = () => Promise.reject(new RangeError('Array buffer allocation failed'));
    expect(await openKeyFile(readable(await sealed()), PASSPHRASE, { derive: failing })).toEqual({ problem: 'device' });
    await expect(sealKeyFile(content, PASSPHRASE, { derive: failing })).rejects.toThrow(RangeError);
  });
});

describe('a file that is not a valid key file', () => {
  const valid = JSON.stringify(keys.file, null, 2);
  const changed = (change: object) => JSON.stringify({ ...keys.file, ...change });

  test.each([
    ['nothing', ''],
    ['a text', 'cinco cavalos'],
    ['another JSON', '{"version":3,"crypto":{"kdf":"scrypt"}}'],
    ['a picture', '\u0089PNG\r\n'],
    ['null', 'null'],
  ])('%s is foreign', (_, text) => {
    expect(readKeyFile(text)).toEqual({ problem: 'foreign' });
  });

  test.each([
    ['cut off', valid.slice(0, -40)],
    ['cut early', valid.slice(0, 40)],
    ['written twice', valid + valid],
    ['with something added', changed({ note: 'x' })],
    ['without its salt', changed({ kdf: { ...keys.file.kdf, salt: undefined } })],
    ['with a short salt', changed({ kdf: { ...keys.file.kdf, salt: 'AAAA' } })],
    ['with a short ciphertext', changed({ ciphertext: keys.file.ciphertext.slice(0, -4) })],
    ['with a ciphertext that is not base64', changed({ ciphertext: `-${keys.file.ciphertext.slice(1)}` })],
    ['with another cipher', changed({ cipher: { ...keys.file.cipher, name: 'none' } })],
    ['with a public key in capitals', changed({ public_key: keys.file.public_key.toUpperCase() })],
    ['with a domain of markup', changed({ beo_domain: '<b>ana</b>.bsp' })],
    ['with fractional work', changed({ kdf: { ...keys.file.kdf, N: 131_072.5 } })],
    ['far too long', valid + ' '.repeat(MAX_KEY_FILE_BYTES)],
  ])('%s is damaged', (_, text) => {
    expect(readKeyFile(text)).toEqual({ problem: 'damaged' });
  });

  test('of a later version is `newer`', () => {
    expect(readKeyFile(changed({ version: 3, kdf: { name: 'argon2id' } }))).toEqual({ problem: 'newer' });
  });

  test.each([
    ['8 GiB of memory', { N: 2 ** 23 }],
    ['a gibibyte of memory', { N: 2 ** 20 }],
    ['large blocks', { r: 1_024 }],
    ['a thousand rounds', { p: 1_000 }],
    ['too little work', { N: 2 }],
    ['work that is no power of two', { N: 100_000 }],
    ['a negative cost', { N: -131_072 }],
  ])('with %s is not opened', (_, cost) => {
    expect(readKeyFile(changed({ kdf: { ...keys.file.kdf, ...cost } }))).toEqual({ problem: 'excessive' });
  });
});

test('the file name has the identity and the day', () => {
  expect(keyFileName(content)).toBe('perpetua-guardian-of-ana.bsp-2026-11-21.json');
  expect(keyFileName({ ...content, purpose: 'holder' })).toBe('perpetua-key-of-ana.bsp-2026-11-21.json');
});
