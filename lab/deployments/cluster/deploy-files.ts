import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountOf } from '../test-postgresql.ts';
import type { Host } from './host-network.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url));

/** A file of deploy/. */
export const deployFile = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

/** Replaces each word, as the first line of the file asks for. @throws {Error} if a word is not there */
export function filledIn(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((filled, [word, value]) => {
    if (!filled.includes(word)) throw new Error(`The file has no ${word} to replace.`);
    return filled.replaceAll(word, value);
  }, text);
}

/** Writes a file that the programs of a host see at `path`. Its folder and the file belong to `user`. */
export function install(host: Host, path: string, text: string, user = 'root'): void {
  const file = host.folder(path);
  const { uid, gid } = accountOf(user);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o640 });
  for (const owned of [dirname(file), file]) chownSync(owned, uid, gid);
}

/** Creates a folder of a user. */
export function makeFolder(host: Host, path: string, user: string): void {
  const { uid, gid } = accountOf(user);
  mkdirSync(host.folder(path), { recursive: true, mode: 0o750 });
  chownSync(host.folder(path), uid, gid);
}

/** The variables of a file such as /etc/default/etcd. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
