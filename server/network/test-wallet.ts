import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateWallet, type Jwk } from './wallet.ts';

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules/.cache/perpetua');

/** A wallet for tests, made once per checkout: an RSA key of 4 096 bits takes seconds. Another name is another wallet. */
export async function testWallet(name = 'first'): Promise<Jwk> {
  const path = join(CACHE, `test-wallet-${name}.json`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    const jwk = await generateWallet();
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(jwk), { mode: 0o600 });
    renameSync(unfinished, path);
    return jwk;
  }
}
