import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureChromium } from '../.ci/chromium.mjs';
import { startTestService, type TestService } from '../server/testing/test-service.ts';

const MAX_GZIPPED_BYTES = 25_000;
/** A clean directory with the packed package and its dependencies: nothing of this project is above it. */
const directory = mkdtempSync(join(tmpdir(), 'perpetua-client-'));
const installed = join(directory, 'node_modules', '@perpetua', 'client');
let service: TestService;
/** The site of an integrator, whose pages use the package. */
const site = createServer((_, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html>'),
);
const siteOrigin = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', [...args, '--silent'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, npm_config_offline: 'true' },
  });

/** Packs a folder; returns the path of the archive. */
const pack = (folder: string) =>
  join(directory, npm(['pack', '--pack-destination', directory], folder).trim().split('\n').at(-1) ?? '');

beforeAll(async () => {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'integrator', private: true, type: 'module' }));
  // The dependencies come from node_modules, so that the test needs no registry.
  const dependencies = ['@noble/ed25519', '@noble/hashes', '@scure/bip39'];
  const archives = [resolve('client'), ...dependencies.map((name) => resolve('node_modules', name))].map(pack);
  npm(['install', '--no-audit', '--no-fund', ...archives], directory);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  service = await startTestService({ CORS_ORIGINS: siteOrigin() });
});

afterAll(async () => {
  site.close();
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a program that imports the installed package. */
async function run(code: string, env: Record<string, string> = {}) {
  const file = join(directory, 'program.mjs');
  writeFileSync(file, code);
  const child = spawn(process.execPath, [file], { env: { ...process.env, PERPETUA_URL: service.url, ...env } });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  return output;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** A program that imports the installed package, bundled for a browser and minified. */
async function bundled(code: string, format: 'esm' | 'iife' = 'esm', isSplit = false): Promise<string> {
  const input = join(directory, 'bundled.mjs');
  writeFileSync(input, code);
  const { output } = await build({
    cwd: directory,
    input,
    platform: 'browser',
    logLevel: 'silent',
    write: false,
    output: { format, minify: true, codeSplitting: isSplit },
  });
  const chunks = output.flatMap((chunk) => ('code' in chunk ? [chunk] : []));
  // What is imported later is loaded later.
  const later = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports));
  return chunks.flatMap(({ fileName, code }) => (isSplit && later.has(fileName) ? [] : [code])).join('');
}

/** What a page loads first. */
const bundledSize = async (code: string): Promise<number> => gzipSync(await bundled(code, 'esm', true)).byteLength;

describe('the packed package', () => {
  test('contains its modules and types, and nothing of zod or Node', () => {
    const files = filesBelow(installed);
    expect(files.filter((file) => !/\/(dist\/.*\.(js|d\.ts)|package\.json|README\.md)$/.test(file))).toEqual([]);
    const texts = files
      .filter((file) => !file.endsWith('.md'))
      .map((file) => [file, readFileSync(file, 'utf8')] as const);
    const foreign =
      /^(?:import|export) .*from ["'](?!\.|@noble\/|@scure\/bip39)|require\(|\bzod\b|\bnode:|\bBuffer\b|\bprocess\.\w/m;
    expect(texts.filter(([, content]) => foreign.test(content)).map(([file]) => file)).toEqual([]);
  });

  test('documents types and members', () => {
    const types = readFileSync(join(installed, 'dist', 'client', 'types.d.ts'), 'utf8');
    expect(types).toContain('/** An identity (protocol §3). */ export type Beo = ');
    expect(types).toContain('/** Whether to continue at once. */ readonly "has_more": boolean;');
    expect(types).toContain('/** An Ed25519 public key: 64 hex characters. */ readonly "new_public_key": string;');
  });

  test('signs, sends and verifies from a clean directory', async () => {
    const output = await run(`
      import { createClient, generateKey, readReceipt } from '@perpetua/client';
      import { generateWords, keyFromWords } from '@perpetua/client/words';
      const client = createClient({ url: process.env.PERPETUA_URL });
      const key = keyFromWords(generateWords());
      const guardian = { name: 'Ana', contact: 'ana@example.org', role: 'primary' };
      const domain = \`packed-\${Date.now()}.bsp\`;
      const created = await client.createBEO({ domain, publicKey: key.publicKey, recovery: { guardians: [guardian] } }, { key });
      const locked = await client.lockBEO({ beoId: created.beo_id }, { key });
      const { seq } = readReceipt(locked.receipt, client.trusted().ledgerId);
      console.log(created.entry.sealed.length, locked.entry.message.function, seq === locked.entry.seq, Object.keys(generateKey()));
      await client.lockBEO({ beoId: created.beo_id }, { key }).catch(({ name, code, status }) => console.log(name, code, status));
    `);
    expect(output).toBe("64 lockBEO true [ 'publicKey', 'sign' ]\nPerpetuaError ALREADY_LOCKED 409\n");
  });

  test('creates an identity and recovers it in a page and in a worker of a browser', async () => {
    const { path, advice } = ensureChromium();
    if (path === null) throw new Error(advice);
    const program = await bundled(
      `import { createClient, generateKey } from '@perpetua/client';
       const report = async () => {
         const key = generateKey();
         const client = createClient({ url: '${service.url}', key });
         const domain = 'browser-' + Math.random().toString(36).slice(2) + '.bsp';
         const { beo_id: beoId } = await client.createBEO({ domain, publicKey: key.publicKey, recovery: null });
         const guardians = [generateKey(), generateKey()];
         for (const [index, guardian] of guardians.entries()) {
           const invitation = { beoId, name: 'Ana', contact: 'ana@example.org', role: ['primary', 'secondary'][index] };
           const { url: link, invitation_id: invitationId } = await client.inviteGuardian(invitation);
           await client.acceptGuardian({ invitationId, beoId, publicKey: guardian.publicKey }, { key: guardian, link });
         }
         const newKey = generateKey();
         const newPublicKey = newKey.publicKey;
         const { request_id: requestId, links } = await client.requestRecovery({ beoId, newPublicKey }, { key: newKey });
         for (const [index, { url: link }] of links.entries()) {
           await client.confirmRecovery({ requestId, beoId, newPublicKey }, { key: guardians[index], link });
         }
         return (await client.lockBEO({ beoId }, { key: newKey })).entry.function;
       };
       report().then((text) => postMessage(text, self.window ? '*' : undefined), (error) => postMessage(String(error)));`,
      'iife',
    );
    const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(siteOrigin());
      const answers = await page.evaluate(async (source) => {
        const first = (target: Window | Worker) =>
          new Promise<string>((resolve) => {
            target.addEventListener('message', (event) => resolve((event as MessageEvent).data), { once: true });
          });
        const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
        const fromWorker = await first(worker);
        const inPage = first(window);
        const script = document.createElement('script');
        script.textContent = source;
        document.head.append(script);
        return [fromWorker, await inPage];
      }, program);
      expect(answers).toEqual(['lockBEO', 'lockBEO']);
    } finally {
      await browser.close();
    }
  });

  test('runs the program of its README', async () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```js\n([\s\S]+?)```/g)].map(([, code = '']) => code);
    const program = blocks.join('\n').replace(/^import .*;$/gm, '');
    const imports = [...new Set(blocks.join('\n').match(/^import .*;$/gm))].join('\n');
    const lines = (await run(`${imports}\n${program}`)).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36} [\w-]{43}$/),
      expect.stringMatching(/^lockBEO is entry \d+$/),
      'true 64',
      'primary ACTIVE',
      '6 words to read to the guardians',
      'true',
      '64 87.5',
      'true',
      'consent.granted true',
      'function',
      'NOT_LOCKED 409 true',
      'true',
      'true',
      'true',
      'function',
    ]);
  });

  test('has a method for each operation, like the source', async () => {
    const names = async (source: string) =>
      run(
        `const { createClient } = await import('${source}'); console.log(Object.keys(createClient({ url: 'http://localhost' })).join());`,
      );
    const { createClient } = await import('./client.ts');
    const own = Object.keys(createClient({ url: 'http://localhost' })).join();
    expect(await names('@perpetua/client')).toBe(`${own}\n`);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('has strict types for a consumer with the module resolution %s', (moduleResolution, module) => {
    const folder = join(directory, moduleResolution);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    const compilerOptions = {
      moduleResolution,
      module,
      target: 'es2022',
      lib: ['es2023', 'dom'],
      types: [],
      strict: true,
    };
    const checks = {
      noEmit: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...checks } }),
    );
    const compile = () =>
      execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8', stdio: 'pipe' });
    expect(compile()).toBe('');
  });

  test('takes less than 25 kB compressed with signing, and less without', async () => {
    const one = await bundledSize(`
      import { createClient, generateKey } from '@perpetua/client';
      const key = generateKey();
      export const create = (url, domain) =>
        createClient({ url }).createBEO({ domain, publicKey: key.publicKey, recovery: null }, { key });
    `);
    const webhooks = await bundledSize("export { verifyWebhook } from '@perpetua/client';");
    expect(one).toBeLessThan(MAX_GZIPPED_BYTES);
    expect(webhooks).toBeLessThan(one / 2);
  });
});

const CONSUMER = `
import { createClient, generateKey, IntegrityError, PerpetuaError, type Beo, type Signer } from '@perpetua/client';
import { openKeyFile } from '@perpetua/client/key-file';
import { keyFromWords } from '@perpetua/client/words';

const hsm: Signer = { publicKey: 'aa'.repeat(32), sign: async (message) => message.subarray(0, 64) };
const client = createClient({ url: 'https://perpetua.example', key: hsm });

export async function grant(beoId: string, ieoId: string): Promise<string> {
  const scope = { intents: ['READ_RECORDS' as const], categories: ['BSP-CV'], period: { from: '2026-01-01T00:00:00Z' } };
  const granted = await client.grantConsent({ beoId, ieoId, scope, expiresInDays: null });
  if (granted.responseLost) return granted.entry.entityId;
  const status: 'ACTIVE' | 'EXPIRED' | 'REVOKED' = granted.token.status;
  return status + granted.token.token_id + granted.token.scope.intents.join();
}

export async function create(): Promise<Beo> {
  const key = generateKey();
  const { beo_id, transactionId } = await client.createBEO({ domain: 'a.bsp', publicKey: key.publicKey, recovery: null }, { key });
  const { entry } = await client.waitUntilFinal(transactionId, { onStatus: ({ status }) => status === 'FINAL' });
  entry.seq.toFixed();
  await client.lockBEO({ beoId: beo_id, reason: 'lost' });
  // @ts-expect-error: a reason is a text
  await client.lockBEO({ beoId: beo_id, reason: 1 });
  // @ts-expect-error: there is no such intent
  await client.grantConsent({ beoId: beo_id, ieoId: 'b', scope: { intents: ['READ'], categories: ['*'] }, expiresInDays: null });
  // @ts-expect-error: the response may be lost
  (await client.createIEO({ domain: 'b.bsp', ieoType: 'LAB', displayName: 'B', publicKey: '' })).ieo.domain;
  await client.submitRecords({ targetBeo: beo_id, consentToken: 't', records: [{ biomarker: 'BSP-CV-001', value: 1, unit: 'g', extra: true }] });
  for (const { domain } of (await client.listIEOs({ ieoType: 'LAB' })).ieos) domain?.length;
  return client.getBEO(beo_id);
}

export const keys = [keyFromWords('…'), openKeyFile('…', '…')];

export function codeOf(error: unknown): string {
  if (error instanceof IntegrityError) return error.code;
  if (error instanceof PerpetuaError && error.code === 'DUPLICATE_TOKEN') return String(error.details.token_id);
  return '';
}
`;
