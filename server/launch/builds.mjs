import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Each build of the server and of the pages has a folder of its own, named by the hash of its sources, and is never
// changed. So a running process keeps the files that it began with, whatever is built later.

/** Builds that stay although no running process is known to use them: processes on a read-only disk leave no mark. */
const KEPT = 3;
/** How long the scripts of earlier builds stay available to pages that are open in a browser. */
const OLD_STATIC_MS = 7 * 24 * 3_600_000;
/** Of Next's pages, and of /view. */
const STATIC = ['static', 'viewer'];

/** The folder of a build; `directory` holds all of them. */
export const folderOf = (directory, part, id) => join(directory, `${part}-${id}`);

/** The link to the current build of the server, whose path never changes. */
const linkIn = (directory) => join(directory, 'server');

/** The id of the current build, or null. */
export function currentBuild(directory) {
  const link = linkIn(directory);
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
  return basename(readlinkSync(link)).replace('server-', '');
}

/** Makes a build the current one, at once. */
export function makeCurrent(directory, id) {
  const link = linkIn(directory);
  const draft = `${link}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(`server-${id}`, draft, 'junction');
  // Earlier versions of this file built into a folder of that name.
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) rmSync(link, { recursive: true });
  renameSync(draft, link);
}

/** The path of a file of a build of the server, which is kept while this process runs. */
export function useBuilt(directory, id, name) {
  const folder = folderOf(directory, 'server', id);
  markUsed(folder);
  return join(folder, name);
}

/** Keeps a build while this process runs. @param {string} folder of the build of the server */
export function markUsed(folder) {
  const mark = join(dirname(folder), 'used', String(process.pid));
  try {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, basename(folder).replace('server-', ''));
    process.once('exit', () => rmSync(mark, { force: true }));
  } catch (error) {
    // On a read-only disk Node reports ENOENT for a folder that it cannot create, because of `recursive`.
    if (!['EROFS', 'EACCES', 'EPERM', 'ENOENT'].includes(error.code)) throw error;
  }
}

/** Removes builds that are neither current nor in use nor among the last ones, except the one with the given id. */
export function removeOldBuilds(directory, keptId) {
  const kept = usedBuilds(directory).add(currentBuild(directory)).add(keptId);
  for (const part of ['server', 'pages']) {
    for (const { id, folder } of buildsOf(directory, part).slice(KEPT)) {
      if (!kept.has(id)) rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Copies the recent scripts and styles of the last build into a new one. Their names contain a hash of their content. */
export function keepOldStatic(directory, newPages) {
  const [last] = buildsOf(directory, 'pages');
  if (!last) return;
  const isRecent = (path) => statSync(path).isDirectory() || Date.now() - statSync(path).mtimeMs < OLD_STATIC_MS;
  const options = { recursive: true, force: false, preserveTimestamps: true, filter: isRecent };
  for (const folder of STATIC) {
    const old = join(last.folder, folder);
    if (existsSync(old)) cpSync(old, join(newPages, folder), options);
  }
}

/** The builds of a part, newest first. */
function buildsOf(directory, part) {
  return readdirSync(directory)
    .filter((name) => new RegExp(`^${part}-[0-9a-f]{16}$`).test(name))
    .map((name) => ({ id: name.slice(part.length + 1), folder: join(directory, name) }))
    .map((build) => ({ ...build, at: statSync(build.folder).mtimeMs }))
    .sort((one, other) => other.at - one.at);
}

function usedBuilds(directory) {
  const marks = join(directory, 'used');
  if (!existsSync(marks)) return new Set();
  const used = readdirSync(marks).filter((pid) => {
    if (isAlive(Number(pid))) return true;
    rmSync(join(marks, pid), { force: true });
    return false;
  });
  return new Set(used.map((pid) => readFileSync(join(marks, pid), 'utf8')));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether a build depends on a file of its folders: not on tests, what they use, or what is built from other files. */
export const isSource = (file) =>
  !/(^|\/)test-[^/]+\.tsx?$|\.test\.tsx?$|^(vitest|playwright)\.config\.ts$|^next-env\.d\.ts$|^(client|mcp)\/dist\//.test(
    file,
  );
