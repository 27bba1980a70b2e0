import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** `npm run NAME -- ARGS` with these settings alone. Returns the exit status and everything that it printed. */
export async function npmRun(name: string, args: readonly string[], settings: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['server/launch/run.mjs', name, ...args], {
    cwd: ROOT,
    env: { NODE_ENV: 'production', PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  return { status: status as number, text };
}

/** What the doctor says about one check, its remedies left out. */
export async function doctorOf(check: string, settings: Record<string, string>): Promise<string[]> {
  const { text } = await npmRun('doctor', ['--json'], settings);
  const line = text.split('\n').find((line) => line.startsWith('[{')) ?? '[]';
  const results = JSON.parse(line) as { name: string; findings: { level: string; problem: string }[] }[];
  const result = results.find(({ name }) => name === check);
  if (!result) throw new Error(`The doctor did not check ${check}:\n${text}`);
  return result.findings.map(({ level, problem }) => `${level}: ${problem}`);
}
