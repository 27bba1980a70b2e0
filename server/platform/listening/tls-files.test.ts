import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { EXPIRED, testTls, VALID } from '../../testing/test-tls.ts';
import { expiryProblem, readTlsFiles } from './tls-files.ts';

const tls = testTls();
afterAll(tls.remove);
beforeEach(() => tls.write(VALID));

const { TLS_CERT_FILE, TLS_KEY_FILE } = tls.env;
const read = (env: Record<string, string> = tls.env) => readTlsFiles(readConfig(env));

test('a certificate and its key are read, also with the chain behind it', () => {
  expect(read({})).toBeNull();
  expect(read()).toMatchObject(VALID);
  tls.write({ cert: `${VALID.cert}\n${EXPIRED.cert}` });
  expect(read()?.key).toBe(VALID.key);
});

const withPassphrase = createPrivateKey(VALID.key).export({
  ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
});
const der = new X509Certificate(VALID.cert).raw.toString('latin1');

test.each<[string, { cert?: string; key?: string }, RegExp]>([
  ['no certificate', { cert: 'hello' }, /^TLS_CERT_FILE is wrong: \S+cert\.pem must hold a certificate in PEM\.$/],
  ['a certificate in DER', { cert: der }, /^TLS_CERT_FILE is wrong: \S+cert\.pem must hold a certificate in PEM\.$/],
  ['no key', { key: VALID.cert }, /^TLS_KEY_FILE is wrong: \S+key\.pem must hold a private key in PEM, without a pass/],
  ['a passphrase', { key: String(withPassphrase) }, /^TLS_KEY_FILE is wrong: .*, without a passphrase\.$/],
  [
    'another key',
    { key: EXPIRED.key },
    /^TLS_KEY_FILE is wrong: \S+ is not the key of the first certificate in \S+\.$/,
  ],
  [
    'a broken chain',
    { cert: `${VALID.cert}\n-----BEGIN CERTIFICATE-----\nAAAA\n` },
    /^TLS_CERT_FILE is wrong: OpenSSL/,
  ],
])('%s is refused with one sentence', (_, files, sentence) => {
  tls.write(files);
  expect(() => read()).toThrow(sentence);
});

test('a missing file and a missing setting are refused with one sentence', () => {
  expect(() => read({ ...tls.env, TLS_CERT_FILE: `${TLS_CERT_FILE}.not` })).toThrow(
    `TLS_CERT_FILE is wrong: there is no file ${TLS_CERT_FILE}.not.`,
  );
  expect(() => read({ TLS_CERT_FILE })).toThrow('TLS_KEY_FILE is wrong: is needed together with TLS_CERT_FILE');
  expect(() => read({ TLS_KEY_FILE })).toThrow('TLS_KEY_FILE is wrong: is needed together with TLS_CERT_FILE');
  expect(() => read({ ...tls.env, PUBLIC_URL: 'http://id.example' })).toThrow(
    'PUBLIC_URL is wrong: must begin with https://, because TLS_CERT_FILE is set',
  );
});

test('an expired certificate is a problem and no error', () => {
  expect(expiryProblem({ ...VALID, minVersion: 'TLSv1.2' }, Date.now())).toBeNull();
  tls.write(EXPIRED);
  const files = read();
  expect(files && expiryProblem(files, Date.now())).toBe(
    'The certificate in TLS_CERT_FILE expired at 2021-01-01T00:00:00.000Z.',
  );
});
