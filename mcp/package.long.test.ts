import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server/testing/test-service.ts';

const run = promisify(execFile);

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'perpetua-mcp-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

async function versionOf(command: string, args: readonly string[], cwd: string): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PERPETUA_URL: service.url },
    }),
  );
  const { structuredContent } = await client.callTool({ name: 'bsp_ledger', arguments: {} });
  await client.close();
  return (structuredContent as { ledger_id?: unknown }).ledger_id;
}

test('the packed server runs alone in another folder, and as npm run mcp', async () => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: 'mcp' });
  const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
  await run('npm', ['install', '--silent', '--offline', '--prefix', folder, archive], { cwd: folder });
  const { ledger_id: ledgerId } = (await service.get('/api/ledger')).body;
  expect(await versionOf(join(folder, 'node_modules', '.bin', 'perpetua-mcp'), [], folder)).toBe(ledgerId);
  expect(await versionOf('npm', ['run', '--silent', 'mcp'], process.cwd())).toBe(ledgerId);
});

test('a wrong setting ends it with a sentence', async () => {
  const started = run(process.execPath, ['server/launch/run.mjs', 'mcp-stdio'], {
    env: { ...process.env, PERPETUA_URL: 'ftp://example.org' },
  });
  await expect(started).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'PERPETUA_URL must be the http or https address of a Perpetua service.\n',
  });
});
