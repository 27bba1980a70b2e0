import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Builds `npm run witness` next to the packages of this checkout. */
export async function buildWitness(): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const directory = join(ROOT, 'node_modules/.cache/perpetua', `witness-${process.pid}`);
  await build({
    cwd: ROOT,
    input: { witness: 'commands/witness.ts' },
    platform: 'node',
    external: /^[^./#]/,
    tsconfig: false,
    output: { dir: directory, format: 'esm' },
  });
  return {
    program: join(directory, 'witness.js'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

export interface WitnessProcess {
  readonly child: ChildProcess;
  /** The verifier key that it prints. */
  readonly vkey: string;
}

/** Starts the built command, and waits until it listens. @throws {Error} with its output if it ends */
export async function runWitness(program: string, ...args: string[]): Promise<WitnessProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith('Listening')) return { child, vkey: lines[0] ?? '' };
  }
  throw new Error(errors);
}
