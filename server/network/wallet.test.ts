import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Arweave from 'arweave';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testWallet } from './test-wallet.ts';
import { loadWallet, signTransaction, WalletError, walletAddress } from './wallet.ts';

const arweave = Arweave.init({});
const anchor = Buffer.alloc(48, 9).toString('base64url');
const tags = [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'Tïtel', value: '永久' },
];

describe('a wallet', () => {
  test('has the same address as in arweave-js', async () => {
    const jwk = await testWallet();
    expect(loadWallet(jwk).address).toBe(await arweave.wallets.jwkToAddress(jwk));
    expect(walletAddress({ n: jwk.n })).toBe(loadWallet(jwk).address);
  });

  test('is read from a key file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'perpetua-wallet-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const path = join(directory, 'wallet.json');
    await writeFile(path, JSON.stringify(await testWallet()));
    await chmod(path, 0o600);
    expect(loadWallet(path).address).toBe(walletAddress(await testWallet()));
    await writeFile(path, 'no key');
    expect(() => loadWallet(path)).toThrow(`The wallet file ${path} is not JSON.`);
    expect(() => loadWallet(join(directory, 'missing'))).toThrow('cannot be read (ENOENT)');
  });

  test('is refused without being shown if it is not an RSA private key of 4 096 bits', async () => {
    const jwk = await testWallet();
    const { d: _, ...publicOnly } = jwk;
    const invalid: unknown[] = [
      publicOnly,
      { ...jwk, n: jwk.n.slice(0, 100) },
      { ...jwk, kty: 'EC' },
      { ...jwk, d: '' },
      [],
    ];
    for (const candidate of invalid) {
      let message = '';
      try {
        loadWallet(candidate as typeof jwk);
      } catch (error) {
        expect(error).toBeInstanceOf(WalletError);
        message = (error as Error).message;
      }
      expect(message).toMatch(/^The wallet/);
      expect(message).not.toContain(jwk.p.slice(0, 20));
    }
  });
});

describe('a signed transaction', () => {
  test.each([0, 1, 5_000, 256 * 1024, 600_000])('over %i bytes is verified by arweave-js', async (size) => {
    const wallet = loadWallet(await testWallet());
    const data = Buffer.alloc(size, 7);
    const { id, json } = await signTransaction(wallet, { data, tags, anchor, reward: 123n });
    expect(json).not.toHaveProperty('data');
    const transaction = arweave.transactions.fromRaw({ ...json, data });
    expect(await arweave.transactions.verify(transaction)).toBe(true);
    expect(transaction.id).toBe(id);
    expect(json).toMatchObject({ format: 2, last_tx: anchor, reward: '123', data_size: String(size), quantity: '0' });

    if (size > 0) {
      const expected = await arweave.createTransaction({ data, last_tx: anchor, reward: '123' });
      expect(json.data_root).toBe(expected.data_root);
    }
    expect(transaction.tags.map((tag) => tag.get('value', { decode: true, string: true }))).toEqual([
      'Perpetua',
      '永久',
    ]);
  });
});
