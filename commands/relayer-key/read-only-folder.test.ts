import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKeyText } from '../../server/platform/data-folder/key-files.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../server/testing/test-service.ts';
import { printKeys } from './change.ts';
import { commit, hexOf, keyCommandsBeside, rotate } from './test-key-commands.ts';

const NOBODY = 65_534;
const VAULT_KEY = 'ab'.repeat(32);
const BUNDLE_MAX_AGE_MS = '2000000000';

/** Like a folder of mounted secrets: commands read the files in it, and only the operator changes it. */
const folder = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-keys-`));
const key = (name: string): string => join(folder, name);
const env = { RELAYER_KEY_FILE: key('relayer.key'), VAULT_KEY };

let product: TestService;
const { run, failureOf, newKey } = keyCommandsBeside(() => product);

beforeAll(async () => {
  asOperator(() => writeFileSync(key('relayer.key'), newKeyText()));
  product = await startTestService({ ...env, BUNDLE_MAX_AGE_MS });
});
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true });
});

function asOperator(change: () => void): void {
  chmodSync(folder, 0o700);
  change();
  for (const name of readdirSync(folder)) chmodSync(key(name), 0o444);
  chmodSync(folder, 0o555);
}

/** Root may write to every folder. */
async function withoutRoot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  const names = readdirSync(product.dataDir, { recursive: true, encoding: 'utf8' });
  for (const name of ['', ...names]) chownSync(join(product.dataDir, name), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const ledger = async () => (await product.get('/api/ledger')).body;

test('a rotation in a folder of keys that is read-only uses relayer.key.next, and reports what to rename', async () => {
  const [first, next, following] = [hexOf(key('relayer.key')), newKey(), newKey()];
  const nextKeyDigest = following.digest;
  await run(commit(next.digest), env);
  const withoutNext = await withoutRoot(() => failureOf(rotate({ keyFile: next.path, nextKeyDigest }), env));
  expect(withoutNext).toContain(
    `${key('relayer.key.next')} cannot be written (EACCES): put the new key there yourself`,
  );
  expect((await ledger()).relayer_public_key).toBe(first);

  asOperator(() => writeFileSync(key('relayer.key.next'), readFileSync(next.path)));
  const rotated = await withoutRoot(() => run(rotate({ keyFile: null, nextKeyDigest }), env));
  expect(rotated.text).toContain(`replaces the key ${first} by ${next.publicKey}.`);
  expect(rotated.text).toContain(`The new key is in ${key('relayer.key.next')}, and committed to ${following.text}.`);
  expect(rotated.text).toContain(`${key('relayer.key')} cannot be replaced here (E`);
  expect(rotated.text).toContain(
    'on every machine: rename relayer.key to relayer.key.old, then relayer.key.next to relayer.key.',
  );
  const { head, relayer_public_key } = await ledger();
  expect(relayer_public_key).toBe(next.publicKey);
  expect((await run(printKeys, env)).text).toContain(`The current key is in ${key('relayer.key.next')}`);
  const repeated = await withoutRoot(() => run(rotate({ keyFile: null, nextKeyDigest }), env));
  expect(repeated.text).toContain('rename relayer.key to relayer.key.old');
  expect((await ledger()).head.seq).toBe(head.seq);
  expect(readdirSync(folder).sort()).toEqual(['relayer.key', 'relayer.key.next']);
  expect(await failureOf(rotate({ keyFile: following.path, nextKeyDigest: newKey().digest }), env)).toContain(
    `${key('relayer.key.next')} holds the key that signs now.`,
  );

  asOperator(() => {
    renameSync(key('relayer.key'), key('relayer.key.old'));
    renameSync(key('relayer.key.next'), key('relayer.key'));
  });
  expect((await run(printKeys, env)).text).not.toContain('The current key is in');
  expect((await run(rotate({ keyFile: null, nextKeyDigest }), env)).text).toContain(
    `The new key is in ${key('relayer.key')}, and committed to`,
  );
  const person = newPerson();
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
  expect((await product.post('/api/relayer/beo', person.sign('createBEO', fields))).status).toBe(201);
});
