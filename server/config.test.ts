import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

function errorMessage(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(env)} was taken.`);
}

describe('the settings', () => {
  test('have defaults, and an empty value is the same as none', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      PORT: 3000,
      DOMAIN_SUFFIX: 'bsp',
      SERVICE_NAME: 'perpetua',
      TRUST_PROXY: 0,
      KEEP_ALIVE_MS: 90_000,
      RATE_LIMIT: true,
      LOG_LEVEL: 'info',
      BUNDLE_MAX_AGE_MS: 3_000,
      DATA_DIR: resolve('data'),
      MAX_WINSTON_PER_BUNDLE: 20_000_000_000n,
    });
    expect(readConfig({ PORT: '', DATABASE_URL: '', VAULT_KEY: '', REDIS_URL: '' })).toEqual(config);
    expect(readConfig({ PATH: '/bin', SOMETHING_ELSE: 'x' })).toEqual(config);
  });

  test('are parsed', () => {
    const config = readConfig({
      PORT: '0',
      DATA_DIR: 'somewhere/else',
      PUBLIC_URL: 'https://id.example/',
      RATE_LIMIT: 'off',
      TRUST_PROXY: '2',
      KEEP_ALIVE_MS: '315000',
      ARWEAVE_GATEWAY_URL: 'https://gateway.example, https://other.example/ar,https://gateway.example',
      ARWEAVE_WALLET_FILE: '/keys/wallet.json',
      MAX_WINSTON_PER_BUNDLE: '123456789012345678901234567890',
      INSTITUTE_KEY_DIGESTS: [DIGEST, DIGEST.replace('a', 'F'), 'AB'.repeat(32)].join(','),
      SMTP_URL: 'smtp://user:p%40ss@mail.example',
      MAIL_FROM: 'Perpetua <guardians@id.example>',
      OPERATOR_NAME: 'Fundação Exemplo',
      CONTACT_EMAIL: 'contact@id.example',
    });
    expect(config).toMatchObject({
      PORT: 0,
      DATA_DIR: resolve('somewhere/else'),
      PUBLIC_URL: 'https://id.example',
      RATE_LIMIT: false,
      TRUST_PROXY: 2,
      KEEP_ALIVE_MS: 315_000,
      BUNDLE_MAX_AGE_MS: 60_000,
      ARWEAVE_GATEWAY_URL: ['https://gateway.example', 'https://other.example/ar'],
      MAX_WINSTON_PER_BUNDLE: 123456789012345678901234567890n,
      INSTITUTE_KEY_DIGESTS: [DIGEST, DIGEST.replace('a', 'f'), 'ab'.repeat(32)],
      SMTP_URL: { host: 'mail.example', port: 587, secure: false, credentials: { user: 'user', pass: 'p@ss' } },
      MAIL_FROM: { name: 'Perpetua', address: 'guardians@id.example' },
      OPERATOR_NAME: 'Fundação Exemplo',
      CONTACT_EMAIL: 'contact@id.example',
    });
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PUBLIC_URL', 'id.example'],
    ['PUBLIC_URL', 'ftp://id.example'],
    ['DOMAIN_SUFFIX', '.bsp'],
    ['DOMAIN_SUFFIX', 'BSP'],
    ['DOMAIN_SUFFIX', 'a.b'],
    ['SERVICE_NAME', 'a\nb'],
    ['KEEP_ALIVE_MS', '90'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '17'],
    ['RATE_LIMIT', 'no'],
    ['LOG_LEVEL', 'loud'],
    ['MAX_WINSTON_PER_BUNDLE', '1.5'],
    ['MAX_WINSTON_PER_BUNDLE', '0x10'],
    ['BUNDLE_MAX_AGE_MS', '0'],
    ['DAILY_BYTES', 'much'],
    ['MAX_BACKLOG', '-5'],
    ['DEVNET_BLOCK_MS', 'fast'],
    ['MAIL_FROM', 'Perpetua'],
    ['OPERATOR_NAME', 'Two\nlines'],
    ['CONTACT_EMAIL', 'id.example'],
    ['CONTACT_EMAIL', 'a@id.example\nContact: b@id.example'],
    ['MAIL_FROM', 'a@id.example, b@id.example'],
  ])('that are invalid are named with their value in one sentence: %s=%s', (name, value) => {
    const sentence = errorMessage({ [name]: value });
    expect(sentence).toMatch(new RegExp(`^${name} is wrong: .*\\.$`));
    expect(sentence).toContain(JSON.stringify(value));
    expect(sentence).not.toContain('\n');
  });

  test.each([
    ['DATABASE_URL', 'mysql://user:hunter2@db/x'],
    ['DATABASE_URL', 'user:hunter2'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['VAULT_KEY', 'hunter2'],
    ['VAULT_KEY', `${'ab'.repeat(31)}hunter2`],
    ['UPSTASH_REDIS_REST_TOKEN', 'hunter2'],
    ['UPSTASH_REDIS_REST_URL', 'redis://:hunter2@upstash'],
    ['ARWEAVE_GATEWAY_URL', 'ftp://user:hunter2@gateway'],
    ['INSTITUTE_KEY_DIGESTS', 'hunter2,hunter2,hunter2'],
    ['SMTP_URL', 'http://user:hunter2@mail.example'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example/?pool=true'],
  ])('that are secret and invalid are named without their value: %s', (name, value) => {
    const sentence = errorMessage({ [name]: value });
    expect(sentence).toMatch(new RegExp(`^${name} is wrong: .*\\.$`));
    expect(sentence).not.toContain('hunter2');
  });

  test.each([
    ['two', [DIGEST, 'ab'.repeat(32)]],
    ['four', [DIGEST, 'ab'.repeat(32), 'cd'.repeat(32), 'ef'.repeat(32)]],
    ['one that is short', [DIGEST, 'ab'.repeat(32), 'cd'.repeat(31)]],
    ['one that is no hex', [DIGEST, 'ab'.repeat(32), 'xy'.repeat(32)]],
    ['one twice', [DIGEST, 'ab'.repeat(32), DIGEST]],
    ['one twice in another case', [DIGEST, 'ab'.repeat(32), DIGEST.toUpperCase()]],
  ])('that are not three different digests are refused without showing them: %s', (_, digests) => {
    const sentence = errorMessage({ INSTITUTE_KEY_DIGESTS: digests.join(',') });
    expect(sentence).toMatch(/^INSTITUTE_KEY_DIGESTS is wrong: must be three .* \(it is set, \d+ characters\)\.$/);
    expect(sentence.toLowerCase()).not.toContain('9f86d081');
  });

  test.each([
    [{ UPSTASH_REDIS_REST_URL: 'https://upstash.example' }, 'UPSTASH_REDIS_REST_TOKEN'],
    [{ ARWEAVE_GATEWAY_URL: 'https://gateway.example' }, 'ARWEAVE_WALLET_FILE'],
    [{ ARWEAVE_WALLET_FILE: 'wallet.json' }, 'ARWEAVE_WALLET_FILE'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'guardians@id.example' }, 'MAIL_FROM'],
    [
      { REDIS_URL: 'redis://r', UPSTASH_REDIS_REST_URL: 'https://u.example', UPSTASH_REDIS_REST_TOKEN: 't' },
      'REDIS_URL',
    ],
  ])('that depend on each other are required together: %j', (env, name) => {
    expect(errorMessage(env)).toMatch(new RegExp(`^${name} is wrong: `));
  });
});
