import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { query, settle } from '../../auditor/audit/test-operator.ts';
import { builtCommands } from '../../auditor/audit/test-worker.ts';
import { verify } from '../../auditor/audit/verify.ts';
import { createClient } from '../../client/client.ts';
import { keyFromSeed } from '../../client/keys.ts';
import { verifyInclusionProof } from '../../client/proofs.ts';
import { type Entry, readReceipt } from '../../client/receipts.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { keyCommitment, keyDigest } from '../../protocol/ledger/relayer-keys.ts';
import { createItemSigner } from '../../server/ledger/ans104.ts';
import { headAfter, insertEntries, moveHead } from '../../server/ledger/append.ts';
import { chain } from '../../server/ledger/chain.ts';
import { readHead } from '../../server/ledger/head.ts';
import { newKeyText, readKeyPair } from '../../server/platform/data-folder/key-files.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { runAll } from '../../server/platform/db/statement.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { inTransaction } from '../../server/platform/db/transaction.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../../server/testing/test-service.ts';
import { restore } from '../restore/rebuild-database.ts';
import { printKeys, type Rotation } from './change.ts';
import { createKeyFile, digestOfFile, digestText, readDigest } from './digest.ts';
import { commit, hexOf, keyCommandsBeside, type NewKey, rotate } from './test-key-commands.ts';

let product: TestService;
beforeAll(async () => {
  const settings = { BUNDLE_MAX_AGE_MS: '50', DEVNET_BLOCK_MS: '25' };
  product = await startTestService(settings);
});
afterAll(() => product.stop());

const { file, run, failureOf, newKey } = keyCommandsBeside(() => product);
const create = () => {
  const person = newPerson();
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
  return product.post('/api/relayer/beo', person.sign('createBEO', fields));
};

/** Writes with a client until `work` is done. Every receipt is verified as it arrives. */
async function underLoad<Result>(client: ReturnType<typeof createClient>, work: () => Promise<Result>) {
  let isDone = false;
  const entries: Entry[] = [];
  const writer = async () => {
    do {
      const key = keyFromSeed(Buffer.from(newKeyText(), 'hex'));
      const fields = { domain: freshDomain(), publicKey: key.publicKey, recovery: null };
      entries.push((await client.createBEO(fields, { key })).entry);
    } while (!isDone);
  };
  const writers = [writer(), writer()];
  const result = await work().finally(() => {
    isDone = true;
  });
  await Promise.all(writers);
  return { result, entries };
}

/** The key that the current one is committed to after the second rotation. */
let committed: NewKey;

describe('a command with wrong input changes nothing', () => {
  test('a digest without or with wrong check digits, an existing file, no file', () => {
    const { path, text, publicKey } = newKey();
    expect(text).toBe(digestText(keyDigest(publicKey)));
    expect(digestOfFile(path)).toBe(text);
    for (const wrong of ['', text.slice(0, 64), `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`, `a${text}`])
      expect(() => readDigest(wrong)).toThrow('The digest is wrong: give the 64 hex characters');
    expect(() => createKeyFile(path)).toThrow(`${path} exists. Give the name of a new file`);
    expect(() => digestOfFile(file('none'))).toThrow('There is no file');
  });

  test('a rotation without a commitment, of a missing file, with neither a file nor relayer.key.next', async () => {
    const [next, following] = [newKey(), newKey()];
    const nextKeyDigest = following.digest;
    expect(await failureOf(rotate({ keyFile: next.path, nextKeyDigest }))).toBe(
      'No entry has committed the current key of the relayer to a successor. Nothing was changed.',
    );
    expect(await failureOf(rotate({ keyFile: file('none'), nextKeyDigest }))).toContain('There is no file');
    expect(await failureOf(rotate({ keyFile: null, nextKeyDigest }))).toContain('Give the new key with --key');
    expect(await failureOf(commit(keyDigest(hexOf(file('relayer.key')))))).toBe(
      'It names a key that was used in this ledger before. Nothing was changed.',
    );
    expect(existsSync(file('relayer.key.next'))).toBe(false);
    expect((await product.get('/api/ledger')).body.relayer_keys).toEqual([]);
  });
});

describe('a ledger whose relayer changes its key under load', () => {
  let second: NewKey;
  let third: NewKey;
  const entries: Entry[] = [];
  let first = '';

  test('continues without a lost operation, and every receipt is verified by a client that knows only the ledger', async () => {
    first = hexOf(file('relayer.key'));
    [second, third, committed] = [newKey(), newKey(), newKey()];
    const client = createClient({ url: product.url });
    const { entries: written } = await underLoad(client, async () => {
      expect((await run(commit(second.digest))).text).toMatch(/^Entry \d+ commits the key/);
      expect((await run(commit(second.digest))).text).toContain('is committed to');
      expect(await failureOf(commit(third.digest))).toBe(
        'The current key of the relayer is already committed to another successor. Nothing was changed.',
      );
      expect(await failureOf(rotate({ keyFile: third.path, nextKeyDigest: committed.digest }))).toBe(
        'The new key is not the one that the current key of the relayer is committed to. Nothing was changed.',
      );
      expect(await failureOf(rotate({ keyFile: second.path, nextKeyDigest: second.digest }))).toBe(
        'It names a key that was used in this ledger before. Nothing was changed.',
      );
      expect(hexOf(file('relayer.key'))).toBe(first);
      const { text } = await run(rotate({ keyFile: second.path, nextKeyDigest: third.digest }));
      expect(text).toContain(`replaces the key ${first} by ${second.publicKey}`);
      await create();
    });
    entries.push(...written);
    const { body } = await product.get('/api/ledger');
    expect(body).toMatchObject({ ledger_id: ledgerIdOf(first), relayer_public_key: second.publicKey });
    expect(hexOf(file('relayer.key'))).toBe(second.publicKey);
    expect(hexOf(file('relayer.key.old'))).toBe(first);
    expect(existsSync(file('relayer.key.next'))).toBe(false);
    expect(new Set(written.map(({ relayerPublicKey }) => relayerPublicKey))).toEqual(
      new Set([first, second.publicKey]),
    );
    await client.getLedger();
    expect(client.trusted()?.relayerKeys).toEqual(body.relayer_keys);
  });

  test('changes it again, from relayer.key.next, once the previous key is removed', async () => {
    const rotation = { keyFile: null, nextKeyDigest: committed.digest };
    writeFileSync(file('relayer.key.next'), readFileSync(third.path));
    expect(await failureOf(rotate(rotation))).toContain('holds the key before the last rotation');
    rmSync(file('relayer.key.old'));
    await run(rotate(rotation));
    expect((await create()).status).toBe(201);
    const { text } = await run(printKeys);
    expect(text).toContain(`The key is committed to ${digestText(committed.digest)}.`);
    expect(text.match(/^From entry/gm)).toHaveLength(3);
  });

  test('still proves every entry, old and new, to someone who has only the ledger id or the key of the log', async () => {
    await settle(product.databaseUrl);
    const client = createClient({ url: product.url });
    const { ledger_id, relayer_keys = [], checkpoint_key } = await client.getLedger();
    for (const entry of entries) {
      expect(readReceipt(entry.item, ledger_id, entry.id, relayer_keys)).toMatchObject({
        id: entry.id,
        seq: entry.seq,
      });
      if (entry.relayerPublicKey !== first)
        expect(() => readReceipt(entry.item, ledger_id)).toThrow('the step "ledger" fails');
    }
    const head = (await create()).body.transactionId as string;
    const oneOfEach = [entries[0]?.id ?? '', entries.at(-1)?.id ?? '', head];
    const log = checkpoint_key ?? '';
    for (const id of oneOfEach) {
      const proof = await vi.waitFor(() => client.getInclusionProof(id), { timeout: 120_000, interval: 200 });
      expect(verifyInclusionProof(proof, { log })).toMatchObject({ id, ledgerId: ledger_id });
    }
  });

  test('is verified without a breach, from the settings of the service and from outside', async () => {
    await settle(product.databaseUrl);
    for (const options of [{}, { api: product.url, allowPrivate: true }]) {
      const { result, text } = await run((parts) => verify(options, parts));
      expect(text).toContain('No breach was found');
      expect(result).toBe('clean');
    }
    const wallet = product.service.context.network.walletAddress;
    const known = { gateway: [product.gatewayUrl], wallet, ledgerId: ledgerIdOf(first) };
    const { result } = await run((parts) => verify({ ...known, relayerKey: third.publicKey }, parts));
    expect(result).toBe('clean');
    const other = await run((parts) => verify({ ...known, relayerKey: committed.publicKey }, parts));
    expect(other.text).toContain('is none of the relayer’s keys of this ledger');
    expect(other.result).toBe('breach');
  });

  test('is restored from the network with the current key, and continues; not with a replaced key', async () => {
    await settle(product.databaseUrl);
    const { url, drop } = await freshDatabase();
    try {
      writeFileSync(file('old.key'), readFileSync(second.path));
      // The record of the other ledger's head stays apart: both continue here.
      const DATA_DIR = file('restored');
      mkdirSync(DATA_DIR);
      writeFileSync(join(DATA_DIR, 'relayer.key'), readFileSync(file('relayer.key')));
      const [into, old] = [{ DATABASE_URL: url, DATA_DIR }, { RELAYER_KEY_FILE: file('old.key') }];
      expect(await failureOf((parts) => restore({}, parts), { ...into, ...old })).toBe(
        `The given relayer key was replaced by ${third.publicKey}: give that key. Nothing was written.`,
      );
      const { text } = await run((parts) => restore({}, parts), into);
      expect(text).toMatch(/Epoch 2 begins with entry \d+/);
      const rows = 'SELECT ledger_id, relayer_public_key FROM ledger_head';
      expect(await query(url, rows)).toEqual(await query(product.databaseUrl, rows));
      const entities = 'SELECT id, public_key, domain FROM beos ORDER BY id';
      expect(await query(url, entities)).toEqual(await query(product.databaseUrl, entities));
      const env = { DATA_DIR, GATEWAY_URL: product.gatewayUrl, BUNDLE_MAX_AGE_MS: '2000000000' };
      const restored = await startTestService(env, { databaseUrl: url });
      try {
        const person = newPerson();
        const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
        const { body } = await restored.post('/api/relayer/beo', person.sign('createBEO', fields));
        const { relayer_keys, ledger_id } = (await restored.get('/api/ledger')).body;
        expect(readReceipt(body.receipt, ledger_id, body.transactionId, relayer_keys)).toMatchObject({ epoch: 2 });
      } finally {
        await restored.stop();
      }
      const { result } = await run((parts) => verify({}, parts), into);
      expect(result).toBe('clean');
    } finally {
      await drop();
    }
  });
});

describe('a rotation that is killed', () => {
  let current = '';
  let next: NewKey;
  let following: NewKey;
  let rotation: Rotation;
  /** Another service on this database and data directory, as after a restart, or one with a key file of its own. */
  const serve = (env: Record<string, string> = {}) =>
    startTestService(
      { DATA_DIR: product.dataDir, GATEWAY_URL: product.gatewayUrl, BUNDLE_MAX_AGE_MS: '2000000000', ...env },
      { databaseUrl: product.databaseUrl },
    );
  const headKey = async () => (await product.get('/api/ledger')).body.relayer_public_key as string;

  beforeAll(async () => {
    current = hexOf(file('relayer.key'));
    rmSync(file('relayer.key.old'));
    [next, following] = [committed, newKey()];
    rotation = { keyFile: next.path, nextKeyDigest: following.digest };
  });

  test('before its entry is stored leaves the old key, which signs on', async () => {
    const commands = await builtCommands();
    const blocker = new pg.Client({ connectionString: product.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT FROM ledger_head FOR UPDATE');
      const args = ['rotate', '--key', next.path, '--next-digest', following.text];
      const { PATH } = process.env;
      const env = {
        PATH,
        NODE_ENV: 'production',
        DATA_DIR: product.dataDir,
        DATABASE_URL: product.databaseUrl,
      } as const;
      const child = spawn(process.execPath, [commands.path('rotate-relayer-key'), ...args], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await vi.waitFor(() => expect(existsSync(file('relayer.key.next'))).toBe(true), { timeout: 240_000 });
      child.kill('SIGKILL');
      await ended;
    } finally {
      await blocker.end();
      commands.remove();
    }
    expect(hexOf(file('relayer.key.next'))).toBe(next.publicKey);
    expect(hexOf(file('relayer.key'))).toBe(current);
    expect(await headKey()).toBe(current);
    expect((await create()).status).toBe(201);
  });

  test('is continued by the same command; a process with another copy of the key file refuses writes until it has the new key', async () => {
    const copy = file('copy.key');
    writeFileSync(copy, readFileSync(file('relayer.key')));
    const elsewhere = await serve({ RELAYER_KEY_FILE: copy });
    const write = () => {
      const person = newPerson();
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
      return elsewhere.post('/api/relayer/beo', person.sign('createBEO', fields));
    };
    try {
      expect((await write()).status).toBe(201);
      const hash = product.service.context.addressHashes.recipient('anna@example.org');
      expect((await run(rotate(rotation))).text).toContain(`replaces the key ${current} by ${next.publicKey}`);
      expect(await write()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect((await elsewhere.get('/api/ledger')).status).toBe(503);
      const ready = await elsewhere.get('/ready');
      expect(ready).toMatchObject({ status: 503, body: { ledger: { ok: false } } });
      expect(ready.body.ledger.problem).toContain(`The key of the ledger was replaced by ${next.publicKey}`);
      await expect(serve({ RELAYER_KEY_FILE: copy })).rejects.toThrow(
        /^The relayer key was replaced in entry \d+: give/,
      );
      writeFileSync(copy, readFileSync(next.path));
      await vi.waitFor(async () => expect((await write()).status).toBe(201));
      expect(elsewhere.service.context.addressHashes.recipient('anna@example.org')).toEqual(hash);
    } finally {
      await elsewhere.stop();
    }
  });

  test('before the files are renamed is usable, and finished by the same command', async () => {
    // What a kill after the entry leaves.
    renameSync(file('relayer.key'), file('relayer.key.next'));
    renameSync(file('relayer.key.old'), file('relayer.key'));
    const restarted = await serve();
    const hash = product.service.context.addressHashes.recipient('anna@example.org');
    expect(restarted.service.context.addressHashes.recipient('anna@example.org')).toEqual(hash);
    expect((await restarted.get('/api/ledger')).body.relayer_public_key).toBe(next.publicKey);
    await restarted.stop();
    expect((await run(printKeys)).text).toContain('run rotate again with the same options');
    expect(await failureOf(rotate({ ...rotation, nextKeyDigest: keyDigest(current) }))).toContain(
      `is committed to ${following.text}: run this again with that digest.`,
    );
    for (const keepsLink of [false, true]) {
      const entries = (await product.get('/api/ledger')).body.head.seq;
      expect((await run(rotate(rotation))).text).toContain('The new key is in');
      expect((await product.get('/api/ledger')).body.head.seq).toBe(entries);
      expect([hexOf(file('relayer.key')), hexOf(file('relayer.key.old'))]).toEqual([next.publicKey, current]);
      if (keepsLink) break;
      // What a kill between the link and the rename leaves.
      renameSync(file('relayer.key'), file('relayer.key.next'));
      writeFileSync(file('relayer.key'), readFileSync(file('relayer.key.old')));
    }
    expect((await create()).status).toBe(201);
  });

  test('leaves a database that refuses an entry of a replaced key, also from a process of an earlier version', async () => {
    const pool = createPool(product.databaseUrl, 1, () => undefined);
    try {
      const old = readKeyPair(file('relayer.key.old'));
      if (!old) throw new Error('There is no replaced key.');
      const head = await readHead(pool);
      const message = { ...keyCommitment(head.ledgerId, following.digest) };
      const draft = { function: message.function, entity_id: head.ledgerId, signer: null, signature: null, message };
      const at = new Date().toISOString();
      const entry = chain(createItemSigner(old.privateKey, old.publicKey), head, draft, at);
      const written = inTransaction(pool, (client) =>
        runAll(client, [insertEntries([entry]), moveHead(headAfter(head, [entry]))]),
      );
      await expect(written).rejects.toThrow('is not signed by the current key of the relayer');
      expect(await readHead(pool)).toEqual(head);
    } finally {
      await pool.end();
    }
  });
});
