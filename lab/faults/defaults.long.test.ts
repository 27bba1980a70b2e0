import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { type Instance, newInstance, type Product } from '../../server/testing/test-product.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await newInstance({ LOG_LEVEL: 'info' });
});
afterAll(() => instance.remove());

async function running(env: Record<string, string>): Promise<Product> {
  const product = await instance.start(env);
  onTestFinished(() => void product.process.kill('SIGKILL'));
  return product;
}

/** Whether the service also listens on another loopback address than 127.0.0.1, which it does only if it listens everywhere. */
const listensEverywhere = (url: string): Promise<boolean> =>
  fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

describe('a service', () => {
  test('listens on the loopback interface unless configured otherwise, logs where it listens, and counts each part', async () => {
    const BACKUP_DIR = join(instance.dataDir, 'backups');
    mkdirSync(BACKUP_DIR);
    const local = await running({ BACKUP_DIR });
    const { status: _, ...parts } = await (await fetch(`${local.url}/ready`)).json();
    const metrics = await (await fetch(`${local.url}/metrics`)).text();
    const counted = [...metrics.matchAll(/^perpetua_part_ok\{part="(\w+)"\}/gm)].map(([, part]) => part);
    expect(counted.sort()).toEqual(Object.keys(parts).sort());
    expect(counted).toContain('backups');
    expect(await listensEverywhere(local.url)).toBe(false);
    expect(local.output()).toContain('It listens on 127.0.0.1 only; set HOST or PUBLIC_URL');
    expect(await local.end('SIGTERM')).toBe(0);

    const exposed = await running({ PUBLIC_URL: 'https://perpetua.example' });
    expect(exposed.output()).toContain('It listens on every interface, because PUBLIC_URL is set');
    // Other systems have no second loopback address.
    if (process.platform === 'linux') expect(await listensEverywhere(exposed.url)).toBe(true);
    expect(await exposed.end('SIGTERM')).toBe(0);
  });

  test('warns if it runs as root or as a database superuser', async () => {
    const { url, adminUrl, drop } = await freshDatabase();
    onTestFinished(drop);
    const isRoot = process.getuid?.() === 0;
    for (const [DATABASE_URL, isSuperuser] of [
      [url, false],
      [adminUrl, true],
    ] as const) {
      const product = await running({ DATABASE_URL });
      expect(product.output().includes('Perpetua runs as root')).toBe(isRoot);
      expect(product.output().includes('the role of DATABASE_URL is a superuser')).toBe(isSuperuser);
      expect(await product.end('SIGTERM')).toBe(0);
    }
  });

  test('reports in one sentence why it cannot start, and a variable that only resembles a setting', async () => {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    const DATABASE_URL = new URL('/no_such_database', url).href;
    const { code, output } = await instance.failToStart({ DATABASE_URL, BACKUP_DIRECTORY: '/backups' });
    expect(code).toBe(1);
    expect(output).toContain('Perpetua cannot start: The database in DATABASE_URL does not exist on its server; ');
    expect(output).not.toContain('    at ');
    expect(output).toMatch(
      /"variable":"BACKUP_DIRECTORY","setting":"BACKUP_DIR","msg":"an environment variable is not a/,
    );
  });

  test('refuses to start on a real network while its data directory contains the institute’s keys', async () => {
    const path = join(instance.dataDir, 'institute-keys.json');
    const keys = JSON.parse(readFileSync(path, 'utf8')) as string[];
    const walletFile = join(instance.dataDir, 'devnet', 'wallet.json');
    const { code, output } = await instance.failToStart({
      ARWEAVE_GATEWAY_URL: 'http://127.0.0.1:9',
      ARWEAVE_WALLET_FILE: walletFile,
    });
    expect(code).toBe(1);
    expect(output).toContain(`Perpetua cannot start: ${path} holds the institute's keys`);
    expect(output).toContain('set INSTITUTE_KEY_DIGESTS to their SHA-256 digests, and remove the file.');
    for (const key of keys) expect(output).not.toContain(key);
  });
});
