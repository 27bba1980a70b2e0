import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from './test-service.ts';

let service: TestService;
const directory = mkdtempSync(join(tmpdir(), 'perpetua-readme-'));

beforeAll(async () => {
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
});

afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

it('the signed request of the README creates an identity, also where the ledger must be named, run as it stands there', async () => {
  const [, code] = /```js\n([\s\S]+?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const file = join(directory, 'create.mjs');
  writeFileSync(file, code ?? '');
  const child = spawn(process.execPath, [file], { env: { ...process.env, PERPETUA_URL: service.url } });
  const output = await text(child.stdout);
  expect(output).toMatch(/^201 /);
  const [, domain] = /domain: '(river-\d+\.bsp)'/.exec(output) ?? [];
  const { body } = await service.get(`/api/beos/domain/${domain}`);
  expect(body.beo.status).toBe('ACTIVE');
});

it('the second example of the README lists every institution, page by page', async () => {
  const [, , code] = readFileSync('README.md', 'utf8').split(/```js\n/);
  const file = join(directory, 'list.mjs');
  writeFileSync(file, code?.slice(0, code.indexOf('```')) ?? '');
  const { publicKey, sign } = newPerson();
  const { ledger_id: ledgerId } = (await service.get('/api/ledger')).body;
  const fields = { domain: freshDomain(), ieoType: 'LAB', displayName: 'Lab', publicKey, ledgerId };
  expect((await service.post('/api/ieo', sign('createIEO', fields))).status).toBe(201);
  const child = spawn(process.execPath, [file], { env: { ...process.env, PERPETUA_URL: service.url } });
  expect(await text(child.stdout)).toBe(`${fields.domain} LAB 1 of 1\n`);
});

it('the request has at most 15 lines of code besides its import', () => {
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(
    code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import')).length,
  ).toBeLessThanOrEqual(15);
});
