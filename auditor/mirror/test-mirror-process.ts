import { type ChildProcess, spawn } from 'node:child_process';

export interface MirrorProcess {
  readonly child: ChildProcess;
  /** What it has printed. */
  readonly text: () => string;
}

/** Starts the built command `npm run mirror`, without the environment of the tests. */
export function spawnMirror(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): MirrorProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, text: () => text };
}
