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
import { derive } from './scrypt.ts';
import { openedSecret } from './secret.ts';
import keys from './vectors/key-file.json' with { type: 'json' };

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

const sealed = (passphrase = PASSPHRASE) => sealKeyFile(content, passphrase, { derive, cost: CHEAP });
const open = (file: KeyFile, passphrase = PASSPHRASE) => openKeyFile(file, passphrase, { derive });

function readable(text: string): KeyFile {
  const read = readKeyFile(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.file;
}

describe('a key file', () => {
  test('made elsewhere by the same rules opens, whichever way the keyboard writes the accents', async () => {
    const file = readable(JSON.stringify(keys.file));
    expect(await open(file, keys.passphrase.normalize('NFD'))).toMatchObject({ key: { secret } });
  });

  test('opens with its passphrase and gives back the key', async () => {
    const file = readable(await sealed());
    expect(await open(file)).toMatchObject({ key: { secret } });
    expect(await open(file, ` ${PASSPHRASE} `)).toMatchObject({ key: { secret } });
  });

  test.each([['cinco cavalos a mesa'], ['Cinco cavalos à mesa'], ['']])('does not open with %j', async (passphrase) => {
    expect(await open(readable(await sealed()), passphrase)).toEqual({ problem: 'passphrase' });
  });

  test('says in the clear whose it is, and nothing of the key', async () => {
    const text = await sealed();
    expect(JSON.parse(text)).toMatchObject({
      format: 'perpetua-key',
      version: 1,
      purpose: 'guardian',
      beo_domain: 'ana.bsp',
      public_key: keys.file.public_key,
      created_at: '2026-11-21T14:00:00.000Z',
    });
    expect(text).not.toContain(bytesToHex(entropy).slice(0, 8));
    expect(text).not.toContain(PASSPHRASE);
  });

  test('never has the same salt, nonce and ciphertext twice', async () => {
    const [one, other] = [readable(await sealed()), readable(await sealed())];
    expect(one.kdf.salt).not.toBe(other.kdf.salt);
    expect(one.cipher.nonce).not.toBe(other.cipher.nonce);
    expect(one.ciphertext).not.toBe(other.ciphertext);
  });

  test('costs what the design says where nothing else is asked for, and tells how far it is', async () => {
    const told: number[] = [];
    const text = await sealKeyFile(content, PASSPHRASE, { derive, onProgress: (fraction) => told.push(fraction) });
    expect(readable(text).kdf).toMatchObject(COST);
    expect(COST).toEqual({ N: 131_072, r: 8, p: 1 });
    expect(told.length).toBeGreaterThan(20);
    expect(told.length).toBeLessThanOrEqual(101);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.at(-1)).toBe(1);
  });

  test.each([
    ['purpose', { purpose: 'holder' }],
    ['domain', { beo_domain: 'eva.bsp' }],
    ['public key', { public_key: 'a'.repeat(64) }],
    ['date', { created_at: '2026-11-22T14:00:00.000Z' }],
  ] as const)('does not open when its %s was changed', async (_, change) => {
    expect(await open({ ...readable(await sealed()), ...change })).toEqual({ problem: 'passphrase' });
  });

  test('holds the seed of a key made elsewhere, and says so under the passphrase’s protection', async () => {
    const seed = { holds: 'seed', bytes: entropy } as const;
    const { publicKey } = await openedSecret(seed);
    const text = await sealKeyFile({ ...content, secret: seed, publicKey }, PASSPHRASE, { derive, cost: CHEAP });
    const file = readable(text);
    expect(file.holds).toBe('seed');
    expect(await open(file)).toEqual({ key: { secret: seed, seed: entropy, publicKey } });
    const { holds: _, ...claimed } = file;
    expect(await open(claimed)).toEqual({ problem: 'passphrase' });
  });

  test('whose key is not the one it names is damaged', async () => {
    const text = await sealKeyFile({ ...content, publicKey: 'a'.repeat(64) }, PASSPHRASE, { derive, cost: CHEAP });
    expect(await open(readable(text))).toEqual({ problem: 'damaged' });
  });

  test('does not open on a device that cannot derive', async () => {
    const poor = () => Promise.reject(new RangeError('Array buffer allocation failed'));
    expect(await openKeyFile(readable(await sealed()), PASSPHRASE, { derive: poor })).toEqual({ problem: 'device' });
    await expect(sealKeyFile(content, PASSPHRASE, { derive: poor })).rejects.toThrow(RangeError);
  });
});

describe('a file that is not, or no longer, a key file', () => {
  const whole = JSON.stringify(keys.file, null, 2);
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
    ['cut off', whole.slice(0, -40)],
    ['cut early', whole.slice(0, 40)],
    ['written twice', whole + whole],
    ['with something added', changed({ note: 'x' })],
    ['without its salt', changed({ kdf: { ...keys.file.kdf, salt: undefined } })],
    ['with a short salt', changed({ kdf: { ...keys.file.kdf, salt: 'AAAA' } })],
    ['with a short ciphertext', changed({ ciphertext: keys.file.ciphertext.slice(0, -4) })],
    ['with a ciphertext that is not base64', changed({ ciphertext: `-${keys.file.ciphertext.slice(1)}` })],
    ['with another cipher', changed({ cipher: { ...keys.file.cipher, name: 'none' } })],
    ['with a public key in capitals', changed({ public_key: keys.file.public_key.toUpperCase() })],
    ['with a domain of markup', changed({ beo_domain: '<b>ana</b>.bsp' })],
    ['with fractional work', changed({ kdf: { ...keys.file.kdf, N: 131_072.5 } })],
    ['far too long', whole + ' '.repeat(MAX_KEY_FILE_BYTES)],
  ])('%s is damaged', (_, text) => {
    expect(readKeyFile(text)).toEqual({ problem: 'damaged' });
  });

  test('of a later version is newer, whatever else is in it', () => {
    expect(readKeyFile(changed({ version: 2, kdf: { name: 'argon2id' } }))).toEqual({ problem: 'newer' });
  });

  test.each([
    ['8 GiB of memory', { N: 2 ** 23 }],
    ['a gibibyte of memory', { N: 2 ** 20 }],
    ['large blocks', { r: 1_024 }],
    ['a thousand rounds', { p: 1_000 }],
    ['hardly any work', { N: 2 }],
    ['work that is no power of two', { N: 100_000 }],
    ['less than nothing', { N: -131_072 }],
  ])('that asks for %s is not opened', (_, cost) => {
    expect(readKeyFile(changed({ kdf: { ...keys.file.kdf, ...cost } }))).toEqual({ problem: 'excessive' });
  });
});

test('the name of the file says whose key it is and of what day', () => {
  expect(keyFileName(content)).toBe('perpetua-guardian-of-ana.bsp-2026-11-21.json');
  expect(keyFileName({ ...content, purpose: 'holder' })).toBe('perpetua-key-of-ana.bsp-2026-11-21.json');
});
