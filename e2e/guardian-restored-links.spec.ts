import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Instance, newInstance, type Product } from '../server/testing/test-product.ts';
import { type Fields, newKey } from './api.ts';
import { expect, test, translatorFor } from './fixtures.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS = { RATE_LIMIT: 'off', DEVNET_BLOCK_MS: '100', BUNDLE_MAX_AGE_MS: '100' };

const getJson = async (url: string) => (await fetch(url)).json();

async function post({ url }: Product, path: string, body: Fields): Promise<{ beo_id: string; url: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return response.json();
}

/** Invites a guardian and stops once the entries are final on the network. @returns the link */
async function inviteAndStop(instance: Instance): Promise<string> {
  const product = await instance.start();
  const key = newKey();
  const { ledger_id: ledgerId } = await getJson(`${product.url}/api/ledger`);
  const domain = `restored-${Date.now().toString(36)}.bsp`;
  const identity = { ledgerId, domain, publicKey: key.publicKey, recovery: null };
  const { beo_id: beoId } = await post(product, '/api/relayer/beo', key.sign('createBEO', identity));
  const guardian = { ledgerId, beoId, name: 'Ana', contact: 'ana@example.org', role: 'primary' };
  const { url } = await post(product, '/api/guardian/invite', key.sign('inviteGuardian', guardian));
  await expect.poll(async () => (await getJson(`${product.url}/api/ledger`)).entries_final).toBe(2);
  expect(await product.end('SIGTERM')).toBe(0);
  return url;
}

/** Runs `npm run restore` with the network and the relayer key of another instance. */
async function restore(from: Instance, to: Instance): Promise<void> {
  for (const name of ['relayer.key', 'devnet']) {
    cpSync(join(from.dataDir, name), join(to.dataDir, name), { recursive: true });
  }
  const { PATH, HOME } = process.env;
  const env = { ...SETTINGS, PATH, HOME, NODE_ENV: 'production' as const, DATA_DIR: to.dataDir };
  const child = spawn(process.execPath, ['server/launch/run.mjs', 'restore'], { cwd: ROOT, env, stdio: 'ignore' });
  expect(await once(child, 'close')).toEqual([0, null]);
}

test('a link from before a restore states this, on a page in every language and in JSON', {
  tag: ['@desktop', '@long'],
}, async ({ browser }) => {
  const [before, after] = [await newInstance(SETTINGS), await newInstance(SETTINGS)];
  try {
    const token = (await inviteAndStop(before)).split('/').at(-1);
    await restore(before, after);
    const { url, end } = await after.start();
    for (const kind of ['accept', 'confirm-recovery']) {
      const address = `${url}/api/guardian/${kind}/${token}`;
      for (const locale of ['en', 'pt-BR', 'es'] as const) {
        const context = await browser.newContext({ locale });
        const page = await context.newPage();
        expect((await page.goto(address))?.status()).toBe(410);
        const t = translatorFor(locale);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('guardian.restored.title'));
        await expect(page.getByText(t('guardian.restored.todo'))).toBeVisible();
        await context.close();
      }
      const response = await fetch(address, { headers: { accept: 'application/json' } });
      const { code, details } = await response.json();
      expect([response.status, code, details]).toEqual([410, 'LINK_EXPIRED', { reason: 'RESTORED' }]);
    }
    expect(await end('SIGTERM')).toBe(0);
  } finally {
    await before.remove();
    await after.remove();
  }
});
