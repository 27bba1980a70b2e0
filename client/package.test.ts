import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the package depends on the versions that this project is tested with', () => {
  const { dependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  const { dependencies: own } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['@noble/ed25519', '@noble/hashes', '@scure/bip39']);
  for (const [name, version] of Object.entries(dependencies)) expect([name, version]).toEqual([name, own[name]]);
});
