import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateWallet, type Jwk } from './wallet.ts';

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.cache/perpetua');

/** A wallet for tests, one per name, generated once per checkout because an RSA key of 4 096 bits takes seconds. */
export async function testWallet(name = 'first'): Promise<Jwk> {
  const path = join(CACHE, `test-wallet-${name}.json`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    const jwk = await generateWallet();
    mkdirSync(CACHE, { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(jwk), { mode: 0o600 });
    renameSync(temporary, path);
    return jwk;
  }
}
