import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newInstance } from '../../server/testing/test-product.ts';
import { copyOfProject } from './test-copy.ts';

const page = (text: string): string =>
  `export const dynamic = 'force-dynamic';\nexport default function Page() {\n  return <p>${text}</p>;\n}\n`;

const read = (url: string): Promise<string> =>
  fetch(url).then(
    (response) => response.text(),
    () => '',
  );

/** The status that answers the request for the socket by which Next reports changed pages to the browser. */
function socketStatus(url: string): Promise<number | undefined> {
  const headers = {
    origin: url,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/_next/hmr?id=test`, { headers });
    const settle = (response: IncomingMessage) => {
      resolve(response.statusCode);
      response.destroy();
    };
    asked.on('upgrade', settle).on('response', settle).on('error', reject).end();
  });
}

test('npm run dev shows changed pages, restarts the server when its code changes, and stops everything', async () => {
  const root = copyOfProject('dev-test');
  const pageFile = join(root, 'app', 'changing', 'page.tsx');
  mkdirSync(join(root, 'app', 'changing'));
  writeFileSync(pageFile, page('before the change'));
  const instance = await newInstance({ LOG_LEVEL: 'info' }, { root, program: 'server/launch/dev.mjs' });
  onTestFinished(() => instance.remove());

  const product = await instance.start();
  const changing = `${product.url}/changing`;
  // On a busy machine, the first compilation takes longer than the service keeps a silent connection.
  await expect.poll(() => read(changing)).toContain('before the change');
  const first = await fetch(changing);
  expect(first.headers.get('content-security-policy')).toContain("'unsafe-eval'");
  expect(await socketStatus(product.url)).toBe(101);
  writeFileSync(pageFile, page('after the change'));
  await expect.poll(() => read(changing)).toContain('after the change');

  // /view is built without Next.
  const viewer = `${product.url}/view`;
  await expect.poll(() => read(viewer)).toContain('Open shared health data');
  expect((await fetch(`${product.url}/view/files/view.js`)).status).toBe(200);
  const messages = join(root, 'messages', 'en.json');
  writeFileSync(messages, readFileSync(messages, 'utf8').replaceAll('Open shared health data', 'Open what was shared'));
  const document = join(root, 'app', 'view', 'view.tsx');
  writeFileSync(document, `${readFileSync(document, 'utf8')}\n`);
  await expect.poll(() => read(viewer)).toContain('Open what was shared');

  const recorded = join(root, 'protocol', 'entities', 'recorded.ts');
  const source = readFileSync(recorded, 'utf8');
  writeFileSync(recorded, 'const = ;');
  await expect.poll(() => product.output()).toContain('The server could not be built');
  expect((await fetch(`${product.url}/health`)).status).toBe(200);
  writeFileSync(recorded, source.replace(/VERSION = '[^']+'/, "VERSION = '0.0.0-changed'"));
  await expect.poll(() => read(`${product.url}/health`)).toContain('0.0.0-changed');

  expect(instance.postmaster()).not.toBeNull();
  expect(await product.end('SIGTERM')).toBe(0);
  expect(instance.postmaster()).toBeNull();
  await expect(fetch(`${product.url}/health`)).rejects.toThrow();

  const killed = await instance.start();
  await killed.end('SIGKILL');
  await expect.poll(() => instance.postmaster()).toBeNull();
});

test('npm start permits nothing that is for development, whatever NODE_ENV is', async () => {
  const instance = await newInstance();
  onTestFinished(() => instance.remove());
  const product = await instance.start({ NODE_ENV: 'development' });
  const policy = (await fetch(`${product.url}/sign-in`)).headers.get('content-security-policy');
  expect(policy).toContain("script-src 'self' 'nonce-");
  expect(policy).not.toContain('unsafe');
  expect(await socketStatus(product.url)).toBe(404);
  const overlay = await fetch(`${product.url}/__nextjs_original-stack-frames`, { method: 'POST', body: '{}' });
  expect(overlay.status).toBe(405);
  expect(await product.end('SIGTERM')).toBe(0);
});
