import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import { chownSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { publicKeyOf } from '../../../protocol/signing/ed25519.ts';
import { ConfigError } from '../../config.ts';
import {
  existingVaultKey,
  loadInstituteKeys,
  loadNextVaultKey,
  loadRelayerKey,
  loadVaultKey,
  loadWebhookSeeds,
  promoteNextKey,
  vaultKeyFiles,
  writeSecret,
} from './key-files.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'perpetua-keys-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function errorMessage(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('It was taken.');
}

describe('the keys of an instance', () => {
  test('are created once, readable by their owner only', () => {
    const DATA_DIR = join(directory(), 'not', 'there', 'yet');
    const relayer = loadRelayerKey({ DATA_DIR });
    const vaultKey = loadVaultKey({ DATA_DIR });
    expect(readdirSync(DATA_DIR).sort()).toEqual(['relayer.key', 'vault.key']);
    for (const name of ['relayer.key', 'vault.key']) {
      expect(modeOf(join(DATA_DIR, name))).toBe('600');
      expect(readFileSync(join(DATA_DIR, name), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(loadRelayerKey({ DATA_DIR }).publicKey).toEqual(relayer.publicKey);
    expect(loadVaultKey({ DATA_DIR })).toEqual(vaultKey);
    expect(loadVaultKey({ DATA_DIR: directory() })).not.toEqual(vaultKey);
    expect(vaultKey).toHaveLength(32);
  });

  test('are not created with DATABASE_URL if one is kept elsewhere: other machines would not have them', () => {
    const DATA_DIR = directory();
    const DATABASE_URL = 'postgres://db.internal/perpetua';
    const relayerKey = join(DATA_DIR, 'relayer.key');
    expect(errorMessage(() => loadRelayerKey({ DATA_DIR, DATABASE_URL, VAULT_KEY: 'ab'.repeat(32) }))).toBe(
      `There is no relayer key: RELAYER_KEY_FILE is not set, and ${relayerKey} does not exist. The service does not create it if ` +
        `DATABASE_URL and the other main key are set. Give it the key of this database. For a new one run: (umask 077; openssl rand -hex 32 > ${relayerKey})`,
    );
    const elsewhere = { DATA_DIR, DATABASE_URL, RELAYER_KEY_FILE: '/elsewhere/relayer.key' };
    expect(errorMessage(() => loadVaultKey(elsewhere))).toMatch(/^There is no vault key: VAULT_KEY is not set, /);
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const own = { DATA_DIR, DATABASE_URL };
    const keys = [loadRelayerKey(own).publicKey, loadVaultKey(own)];
    expect([loadRelayerKey({ DATA_DIR }).publicKey, loadVaultKey(elsewhere)]).toEqual(keys);
  });

  test('are the configured ones, if any', () => {
    const DATA_DIR = directory();
    const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
    const RELAYER_KEY_FILE = join(DATA_DIR, 'mine');
    writeFileSync(RELAYER_KEY_FILE, `${seed}\n`);
    const { privateKey, publicKey } = loadRelayerKey({ DATA_DIR, RELAYER_KEY_FILE });
    expect(publicKey.toString('hex')).toBe(publicKeyOf(Buffer.from(seed, 'hex')));
    expect(publicKey.toString('hex')).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
    const message = Buffer.from('a message');
    expect(verify(null, message, createPublicKey(privateKey), sign(null, message, privateKey))).toBe(true);
    expect(loadVaultKey({ DATA_DIR, VAULT_KEY: 'AB'.repeat(32) })).toEqual(Buffer.alloc(32, 0xab));
    expect(readdirSync(DATA_DIR)).toEqual(['mine']);
  });

  test('that are invalid are refused by the name of their setting or file, and not shown', () => {
    const DATA_DIR = directory();
    const path = join(DATA_DIR, 'relayer.key');
    writeFileSync(path, 'f00d'.repeat(15));
    expect(errorMessage(() => loadRelayerKey({ DATA_DIR }))).toBe(
      `${path} is wrong: ${path} must hold 64 hex characters (32 bytes).`,
    );
    expect(errorMessage(() => loadRelayerKey({ DATA_DIR, RELAYER_KEY_FILE: path }))).not.toContain('f00d');
    expect(errorMessage(() => loadRelayerKey({ DATA_DIR, RELAYER_KEY_FILE: join(DATA_DIR, 'none') }))).toMatch(
      /^RELAYER_KEY_FILE is wrong: there is no file /,
    );
    expect(errorMessage(() => loadRelayerKey({ DATA_DIR, RELAYER_KEY_FILE: DATA_DIR }))).toContain('cannot be read');
  });
});

describe('the keys of webhooks', () => {
  const [first, second] = ['ab'.repeat(32), 'CD'.repeat(32)];

  test('are one that is created once, unless other keys are kept elsewhere', () => {
    const DATA_DIR = directory();
    expect(loadWebhookSeeds({ DATA_DIR, RELAYER_KEY_FILE: '/run/secrets/relayer.key' })).toBe(null);
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const seeds = loadWebhookSeeds({ DATA_DIR });
    expect(seeds?.map(({ byteLength }) => byteLength)).toEqual([32]);
    expect(modeOf(join(DATA_DIR, 'webhook.key'))).toBe('600');
    expect(loadWebhookSeeds({ DATA_DIR })).toEqual(seeds);
    expect(loadWebhookSeeds({ DATA_DIR, RELAYER_KEY_FILE: '/run/secrets/relayer.key' })).toEqual(seeds);
  });

  test('are the current one and perhaps the previous one, from the lines of a file', () => {
    const DATA_DIR = directory();
    const WEBHOOK_KEY_FILE = join(DATA_DIR, 'mine');
    writeFileSync(WEBHOOK_KEY_FILE, `${first}\n${second}\n`);
    expect(loadWebhookSeeds({ DATA_DIR, WEBHOOK_KEY_FILE })).toEqual([Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)]);
    expect(readdirSync(DATA_DIR)).toEqual(['mine']);
    for (const content of ['', 'f00d', `${first}\n${first}`, `${first}\n${second}\n${'ef'.repeat(32)}`]) {
      writeFileSync(WEBHOOK_KEY_FILE, content);
      const sentence = errorMessage(() => loadWebhookSeeds({ DATA_DIR, WEBHOOK_KEY_FILE }));
      expect(sentence).toMatch(/^WEBHOOK_KEY_FILE is wrong: /);
      expect(sentence).not.toContain('abab');
    }
  });
});

describe('the next key of the vault', () => {
  test('is created once, and replaces the current one, which is kept', () => {
    const DATA_DIR = directory();
    expect(errorMessage(() => existingVaultKey({ DATA_DIR }))).toMatch(/^There is no vault key: /);
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const old = loadVaultKey({ DATA_DIR });
    expect(existingVaultKey({ DATA_DIR })).toEqual(old);
    const next = loadNextVaultKey({ DATA_DIR }, undefined);
    expect(loadNextVaultKey({ DATA_DIR }, undefined)).toEqual(next);
    expect(next).not.toEqual(old);
    expect(modeOf(join(DATA_DIR, 'vault.key.next'))).toBe('600');
    promoteNextKey(vaultKeyFiles({ DATA_DIR }));
    expect(readdirSync(DATA_DIR).sort()).toEqual(['vault.key', 'vault.key.old']);
    expect(loadVaultKey({ DATA_DIR })).toEqual(next);
    expect(readFileSync(join(DATA_DIR, 'vault.key.old'), 'utf8')).toBe(old.toString('hex'));
    expect(modeOf(join(DATA_DIR, 'vault.key'))).toBe('600');
  });

  test('replaces it also after a crash between the two steps', () => {
    const DATA_DIR = directory();
    const old = loadVaultKey({ DATA_DIR });
    const next = loadNextVaultKey({ DATA_DIR }, undefined);
    linkSync(join(DATA_DIR, 'vault.key'), join(DATA_DIR, 'vault.key.old'));
    promoteNextKey(vaultKeyFiles({ DATA_DIR }));
    expect(loadVaultKey({ DATA_DIR })).toEqual(next);
    expect(readFileSync(join(DATA_DIR, 'vault.key.old'), 'utf8')).toBe(old.toString('hex'));
  });

  test('that is given is written to a file only if the current one is a file', () => {
    const DATA_DIR = directory();
    const given = 'CD'.repeat(32);
    const VAULT_KEY = 'ab'.repeat(32);
    expect(errorMessage(() => loadNextVaultKey({ DATA_DIR, VAULT_KEY }, undefined))).toBe(
      'VAULT_KEY is set, but NEW_VAULT_KEY is not: no key is created, because its only copy would be in DATA_DIR. Create one with ' +
        '"openssl rand -hex 32", keep it where VAULT_KEY is kept, and set NEW_VAULT_KEY to it. No data key was changed.',
    );
    expect(loadNextVaultKey({ DATA_DIR, VAULT_KEY }, given)).toEqual(Buffer.alloc(32, 0xcd));
    expect(readdirSync(DATA_DIR)).toEqual([]);
    expect(loadNextVaultKey({ DATA_DIR }, given)).toEqual(Buffer.alloc(32, 0xcd));
    expect(readdirSync(DATA_DIR)).toEqual(['vault.key.next']);
    const other = errorMessage(() => loadNextVaultKey({ DATA_DIR, VAULT_KEY }, 'ef'.repeat(32)));
    expect(other).toContain('holds another key than NEW_VAULT_KEY');
    expect(other).not.toMatch(/cdcd|efef/);
    expect(errorMessage(() => loadNextVaultKey({ DATA_DIR }, 'hunter2'))).not.toContain('hunter2');
  });
});

describe('the keys of the institute', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();

  test('are created once, readable by their owner only, and returned by that call', () => {
    const DATA_DIR = join(directory(), 'not', 'there', 'yet');
    const { digests, created } = loadInstituteKeys({ DATA_DIR });
    const path = join(DATA_DIR, 'institute-keys.json');
    expect(modeOf(path)).toBe('600');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(created);
    expect(new Set(created).size).toBe(3);
    for (const key of created ?? []) expect(key).toMatch(/^[\w-]{43}$/);
    expect(digests).toEqual(created?.map(sha256));
    expect(loadInstituteKeys({ DATA_DIR })).toEqual({ digests, created: null });
    expect(loadInstituteKeys({ DATA_DIR: directory() }).digests).not.toEqual(digests);
    const DATABASE_URL = 'postgres://db.internal/perpetua';
    expect(loadInstituteKeys({ DATA_DIR, DATABASE_URL })).toEqual({ digests: null, created: null });
  });

  test('are neither created nor kept on another network than the devnet', () => {
    const DATA_DIR = directory();
    const path = join(DATA_DIR, 'institute-keys.json');
    const ARWEAVE_GATEWAY_URL = ['https://gateway.example'];
    const INSTITUTE_KEY_DIGESTS = ['a', 'b', 'c'].map((name) => sha256(name).toString('hex'));
    expect(loadInstituteKeys({ DATA_DIR, ARWEAVE_GATEWAY_URL })).toEqual({ digests: null, created: null });
    expect(readdirSync(DATA_DIR)).toEqual([]);
    const { created } = loadInstituteKeys({ DATA_DIR });
    for (const more of [{}, { INSTITUTE_KEY_DIGESTS }, { DATABASE_URL: 'postgres://db.internal/perpetua' }]) {
      const sentence = errorMessage(() => loadInstituteKeys({ DATA_DIR, ARWEAVE_GATEWAY_URL, ...more }));
      expect(sentence).toBe(
        `${path} holds the institute's keys, which only the embedded devnet may keep: give them to the three people who hold ` +
          'them, set INSTITUTE_KEY_DIGESTS to their SHA-256 digests, and remove the file.',
      );
      for (const key of created ?? []) expect(sentence).not.toContain(key);
    }
    rmSync(path);
    expect(loadInstituteKeys({ DATA_DIR, ARWEAVE_GATEWAY_URL, INSTITUTE_KEY_DIGESTS }).digests).toHaveLength(3);
  });

  test('are given by their digests if configured, and then none are created', () => {
    const DATA_DIR = directory();
    const digests = ['a', 'b', 'c'].map(sha256);
    const INSTITUTE_KEY_DIGESTS = digests.map((digest) => digest.toString('hex'));
    expect(loadInstituteKeys({ DATA_DIR, INSTITUTE_KEY_DIGESTS })).toEqual({ digests, created: null });
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  test('may be written manually', () => {
    const DATA_DIR = directory();
    const keys = ['first', 'second', 'third'].map((name) => name.padEnd(32, '!'));
    writeFileSync(join(DATA_DIR, 'institute-keys.json'), JSON.stringify(keys, null, 2));
    expect(loadInstituteKeys({ DATA_DIR })).toEqual({ digests: keys.map(sha256), created: null });
  });

  const key = (letter: string) => `hunter2${letter.repeat(32)}`;
  test.each([
    ['cut off', `["${key('a')}`],
    ['empty', ''],
    ['no array', JSON.stringify({ length: 3 })],
    ['two keys', JSON.stringify([key('a'), key('b')])],
    ['four keys', JSON.stringify(['a', 'b', 'c', 'd'].map(key))],
    ['a key twice', JSON.stringify([key('a'), key('b'), key('a')])],
    ['a short key', JSON.stringify([key('a'), key('b'), 'hunter2'])],
    ['a number', JSON.stringify([key('a'), key('b'), 3])],
  ])('in a malformed file are refused by its name, and not shown: %s', (_, content) => {
    const DATA_DIR = directory();
    const path = join(DATA_DIR, 'institute-keys.json');
    writeFileSync(path, content);
    expect(errorMessage(() => loadInstituteKeys({ DATA_DIR }))).toBe(
      `${path} is wrong: it must hold a JSON array of three different keys of at least 32 characters each.`,
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
  });
});

test('a secret that root creates belongs to the owner of its folder, as a service that is not root needs it', () => {
  const folder = directory();
  if (process.getuid?.() === 0) chownSync(folder, 12_345, 12_345);
  writeSecret(join(folder, 'secret'), 'text');
  const [{ uid, gid }, owner] = [statSync(join(folder, 'secret')), statSync(folder)];
  expect([uid, gid]).toEqual([owner.uid, owner.gid]);
});

test('a secret created by two processes at once is the same for both, complete, without temporary files', () => {
  const path = join(directory(), 'a', 'secret');
  expect(writeSecret(path, 'first')).toBe('first');
  expect(writeSecret(path, 'second')).toBe('first');
  expect(readdirSync(join(path, '..'))).toEqual(['secret']);
});
