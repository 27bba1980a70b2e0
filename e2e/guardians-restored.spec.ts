import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Instance, newInstance, type Product } from '../server/faults/test-product.ts';
import { type Fields, newKey } from './api.ts';
import { expect, sayIn, test } from './people.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS = { RATE_LIMIT: 'off', DEVNET_BLOCK_MS: '100', BUNDLE_MAX_AGE_MS: '100' };

const getJson = async (url: string) => (await fetch(url)).json();

async function post({ url }: Product, path: string, body: Fields): Promise<{ beo_id: string; url: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return answer.json();
}

/** Invites a guardian, and stops when all of it has reached the network. @returns the link */
async function invitedBefore(instance: Instance): Promise<string> {
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

/** `npm run restore`, from the network and the key of another instance. */
async function restore(from: Instance, to: Instance): Promise<void> {
  for (const kept of ['relayer.key', 'devnet']) {
    cpSync(join(from.dataDir, kept), join(to.dataDir, kept), { recursive: true });
  }
  const { PATH, HOME } = process.env;
  const env = { ...SETTINGS, PATH, HOME, NODE_ENV: 'production' as const, DATA_DIR: to.dataDir };
  const child = spawn(process.execPath, ['server/run.mjs', 'restore'], { cwd: ROOT, env, stdio: 'ignore' });
  expect(await once(child, 'close')).toEqual([0, null]);
}

test('a link from before a restore says so, to people in their language and to programs', { tag: '@desktop' }, async ({
  browser,
}) => {
  const [before, after] = [await newInstance(SETTINGS), await newInstance(SETTINGS)];
  try {
    const token = (await invitedBefore(before)).split('/').at(-1);
    await restore(before, after);
    const { url, end } = await after.start();
    for (const kind of ['accept', 'confirm-recovery']) {
      const address = `${url}/api/guardian/${kind}/${token}`;
      for (const locale of ['en', 'pt-BR', 'es'] as const) {
        const context = await browser.newContext({ locale });
        const page = await context.newPage();
        expect((await page.goto(address))?.status()).toBe(410);
        const say = sayIn(locale);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('guardian.restored.title'));
        await expect(page.getByText(say('guardian.restored.todo'))).toBeVisible();
        await context.close();
      }
      const told = await fetch(address, { headers: { accept: 'application/json' } });
      const { code, details } = await told.json();
      expect([told.status, code, details]).toEqual([410, 'LINK_EXPIRED', { reason: 'RESTORED' }]);
    }
    expect(await end('SIGTERM')).toBe(0);
  } finally {
    await before.remove();
    await after.remove();
  }
});
