import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import ed25519 from './ed25519.json' with { type: 'json' };
import invalid from './invalid-messages.json' with { type: 'json' };
import valid from './messages.json' with { type: 'json' };

/** Checks the files with node:crypto alone: what they state must not depend on the code that they test. */
const DIRECTORY = new URL('./', import.meta.url);
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function keyPair(secretKey: string) {
  const der = Buffer.concat([PKCS8, Buffer.from(secretKey, 'hex')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: Buffer.from(x, 'base64url').toString('hex') };
}

const signatureOf = (text: string, secretKey: string): string =>
  sign(null, Buffer.from(text), keyPair(secretKey).privateKey).toString('base64');

/** Cases with their titles, for %s: Vitest shortens a $name. */
const titled = <Case extends { readonly operation: string; readonly name: string }>(cases: readonly Case[]) =>
  cases.map((vector) => [`${vector.operation}: ${vector.name}`, vector] as const);

test.each(readdirSync(DIRECTORY).filter((file) => file.endsWith('.json')))('%s is ASCII', (file) => {
  expect(readFileSync(new URL(file, DIRECTORY), 'latin1')).toMatch(/^[\n\x20-\x7e]*$/);
});

test.each([
  ['messages.json', valid.cases],
  ['invalid-messages.json', invalid.cases],
  ['ed25519.json', ed25519.cases.map((vector) => ({ ...vector, operation: '' }))],
])('no two cases of %s have the same name', (_, cases) => {
  const names = cases.map(({ operation, name }) => `${operation}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('messages.json: the signature is the one of the canonical message', () => {
  const signed = valid.cases.filter(({ approver }) => approver === undefined);
  test.each(titled(signed))('%s', (_, { secretKey = '', publicKey, canonical, signature, body }) => {
    expect(keyPair(secretKey).publicKey).toBe(publicKey);
    expect(signatureOf(canonical, secretKey)).toBe(signature);
    expect(body).toContain(signature);
  });
});

describe('invalid-messages.json: the signature is the one of the text in "signed"', () => {
  const signed = invalid.cases.flatMap(({ signed, secretKey, ...rest }) =>
    signed !== undefined && secretKey !== undefined ? [{ signed, secretKey, ...rest }] : [],
  );
  test.each(titled(signed))('%s', (_, { signed, secretKey, body }) => {
    expect(body).toContain(signatureOf(signed, secretKey));
  });
});

test('the script in the README prints the key, the signature and the id of a case', () => {
  const script = /```js\n([\s\S]*?)```/.exec(readFileSync(new URL('README.md', DIRECTORY), 'utf8'))?.[1] ?? '';
  const vector = valid.cases.find(({ beoId }) => beoId !== undefined) ?? expect.fail('No case has a derived id.');
  const { secretKey = '', publicKey, canonical, signature, ledgerId = '', beoId } = vector;
  const options = ['--input-type=module', '-', secretKey, canonical, ledgerId];
  const output: unknown = JSON.parse(execFileSync(process.execPath, options, { input: script, encoding: 'utf8' }));
  expect(output).toEqual({ publicKey, signature, id: beoId });
});
