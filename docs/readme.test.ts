import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../server/testing/test-service.ts';

let service: TestService;
const directory = mkdtempSync(join(tmpdir(), 'perpetua-readme-'));

beforeAll(async () => {
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
});

afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

/** The JavaScript example of a document. */
function exampleIn(document: string): string {
  const code = /```js\n([\s\S]+?)```/.exec(readFileSync(document, 'utf8'))?.[1];
  if (!code) throw new Error(`${document} has no JavaScript example.`);
  return code;
}

function run(code: string): Promise<string> {
  const file = join(directory, 'example.mjs');
  writeFileSync(file, code);
  const child = spawn(process.execPath, [file], { env: { ...process.env, PERPETUA_URL: service.url } });
  return text(child.stdout);
}

test('the signed request of README.md creates an identity, even where ledgerId is required', async () => {
  const output = await run(exampleIn('README.md'));
  expect(output).toMatch(/^201 /);
  const [, domain] = /domain: '(river-\d+\.bsp)'/.exec(output) ?? [];
  const { body } = await service.get(`/api/beos/domain/${domain}`);
  expect(body.beo.status).toBe('ACTIVE');
});

test('the example of docs/api.md lists every institution, page by page', async () => {
  const { publicKey, sign } = newPerson();
  const { ledger_id: ledgerId } = (await service.get('/api/ledger')).body;
  const fields = { domain: freshDomain(), ieoType: 'LAB', displayName: 'Lab', publicKey, ledgerId };
  expect((await service.post('/api/ieo', sign('createIEO', fields))).status).toBe(201);
  expect(await run(exampleIn('docs/api.md'))).toBe(`${fields.domain} LAB 1 of 1\n`);
});

test('the signed request of README.md has at most 15 lines of code besides its import', () => {
  const lines = exampleIn('README.md').split('\n');
  const code = lines.filter((line) => line.trim() !== '' && !line.startsWith('import'));
  expect(code.length).toBeLessThanOrEqual(15);
});
