import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A repository in a new folder with the files of this checkout, changed or not, in one commit. */
export function createRepository(folder: string): void {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    if (!existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  git(folder, 'init', '--quiet');
  commit(folder, 'this version');
}

const MIGRATIONS = 'server/platform/db/migrate.ts';

/** Commits the next version, which has a migration more. Returns the name of that. */
export function commitNextVersion(folder: string): string {
  const name = '999-next-version';
  const file = join(folder, MIGRATIONS);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(
    /^(export const MIGRATIONS[\s\S]+?\n)\];/m,
    `$1  { name: '${name}', sql: 'CREATE TABLE next_version (id int)' },\n];`,
  );
  if (changed === text) throw new Error(`${MIGRATIONS} has no list MIGRATIONS.`);
  writeFileSync(file, changed);
  commit(folder, 'the next version');
  return name;
}

function commit(folder: string, message: string): void {
  git(folder, 'add', '--all', '--force');
  git(folder, '-c', 'user.name=x', '-c', 'user.email=x@x.invalid', 'commit', '--quiet', '-m', message);
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd: folder });
}
