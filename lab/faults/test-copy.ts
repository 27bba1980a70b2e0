import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  ...['app', 'auditor', 'client', 'commands', 'mcp', 'messages', 'protocol', 'public', 'server'],
  ...['next.config.js', 'package-lock.json', 'package.json', 'postcss.config.js', 'proxy.ts', 'tsconfig.json'],
];

/** A copy of the project that may be changed. It lies in the project, because Next takes no packages from outside its root. */
export function copyOfProject(name: string): string {
  const copy = join(ROOT, '.build', `${name}-${process.pid}`);
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  mkdirSync(copy, { recursive: true });
  for (const file of COPIED) cpSync(join(ROOT, file), join(copy, file), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}
