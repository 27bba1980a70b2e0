import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommands, type CommandName } from '../auditor/audit/test-worker.ts';
import { dataDirectory } from './test-data-directory.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands(['verify', 'restore', 'test-verdict']);
});
afterAll(() => commands.remove());

/** Runs a built command as `npm run` does, with an empty data directory. */
async function run(name: CommandName, ...args: string[]): Promise<[status: number, text: string]> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [commands.path(name), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', DATA_DIR: dataDirectory() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  return [status, text];
}

test.each([
  ['clean', 0],
  ['breach', 1],
  ['asserted', 3],
])('a command with the verdict %s exits with status %i', async (verdict, status) => {
  expect(await run('test-verdict', verdict)).toEqual([status, '']);
});

test('a command that cannot run reports one sentence and exits with status 2', async () => {
  const problem = (text: string) => [2, expect.stringMatching(new RegExp(`^It could not be done: .*${text}.*\n$`))];
  expect(await run('verify')).toEqual(problem('There is no relayer key'));
  expect(await run('verify', '--gatewy', 'x')).toEqual(problem("Unknown option '--gatewy'"));
});

test('a command describes its options', async () => {
  expect(await run('restore', '--help')).toEqual([0, expect.stringContaining('--abandon-pending')]);
});
