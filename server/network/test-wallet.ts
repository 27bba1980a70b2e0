import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateWallet, type Jwk } from './wallet.ts';

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.cache/perpetua');

/** A wallet for tests, one per name, generated once per checkout because an RSA key of 4 096 bits takes seconds. */
export async function testWallet(name = 'first'): Promise<Jwk> {
  const path = join(CACHE, `test-wallet-${name}.json`);
  const stored = readWallet(path);
  if (stored) return stored;
  const generated = await generateWallet();
  mkdirSync(CACHE, { recursive: true });
  return storeFirst(path, generated);
}

/** Of the wallets that several processes generate at once, the first one stored is everyone's. */
function storeFirst(path: string, wallet: Jwk): Jwk {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(wallet), { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return wallet;
  } catch (error) {
    const stored = readWallet(path);
    if (stored) return stored;
    throw error;
  } finally {
    rmSync(temporary);
  }
}

function readWallet(path: string): Jwk | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
