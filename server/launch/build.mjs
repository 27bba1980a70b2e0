import './node-version.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentBuild, folderOf, isSource, keepOldStatic, makeCurrent, removeOldBuilds, useBuilt } from './builds.mjs';
import { runQuietly } from './command.mjs';
import { exclusively } from './exclusive.mjs';
import { install, isInstalled } from './install.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const BUILDS = join(ROOT, '.build');
/** Builds the page /view, which is none of Next's. */
export const VIEWER = join(ROOT, 'app', 'view', 'build.mjs');

const SOURCES = ['app', 'auditor', 'client', 'commands', 'lab', 'mcp', 'messages', 'protocol', 'public', 'server'];
const ENTRIES = [
  'server/main.ts',
  'commands/verify.ts',
  'commands/restore.ts',
  'commands/backup.ts',
  'commands/restore-backup.ts',
  'commands/rotate-vault-key.ts',
  'commands/rotate-relayer-key.ts',
  'commands/forget-key.ts',
  'commands/traces.ts',
  'commands/seed.ts',
  'commands/migrate.ts',
  'commands/pause.ts',
  'commands/resume.ts',
  'commands/mirror.ts',
  'commands/doctor.ts',
  'commands/cost.ts',
  'commands/witness.ts',
  'lab/bench/bench.ts',
  'mcp/mcp-stdio.ts',
];

/**
 * Installs and builds what is missing or out of date, in a separate process, so that the build tools do not stay in the
 * server's memory.
 * @param {{ development?: boolean, pages?: boolean, output?: 1 | 2 }} [options] `development`: also require the packages
 *   that only tests need; `pages`: false if not needed; `output`: 2 prints progress to standard error
 * @returns {Promise<string | null>} the id of the build, or null if it failed; the error has been printed
 */
export async function prepare({ development = false, pages = true, output = 1 } = {}) {
  const id = buildId();
  if (isInstalled(ROOT, { development }) && isBuilt(id, { pages })) return id;
  const options = [...(development ? ['--development'] : []), ...(pages ? ['--pages'] : [])];
  const child = spawn(process.execPath, [SELF, ...options], { stdio: ['inherit', output, 'inherit'] });
  const [code] = await once(child, 'exit');
  return code === 0 ? buildId() : null;
}

/** Several processes may call this at once: one builds and the others wait for it. */
async function installAndBuild({ development, pages }) {
  const work = async () => {
    if (!isInstalled(ROOT, { development })) {
      console.log('Installing packages (npm ci) …');
      await install(ROOT);
    }
    const id = buildId();
    if (!isBuilt(id, { pages })) {
      console.log('Building …');
      await build(id, { pages });
    }
  };
  await exclusively(join(ROOT, '.build', 'lock'), work, () => console.log('Waiting for another build …'));
}

/** The path of an entry of a build: `main`, `bench`, or the name of a command. The build is kept while this process runs. */
export const builtEntry = (id, name) => useBuilt(BUILDS, id, `${name}.js`);

/** @param {string} name */
export const isEntry = (name) => entries().some((file) => nameOf(file) === name);

const PARTS = {
  server: { build: buildServer, outputs: () => entries().map((file) => `${nameOf(file)}.js`) },
  pages: { build: buildPages, outputs: () => ['BUILD_ID', join('viewer', 'en.html')] },
};

const isBuilt = (id, { pages }) =>
  partsWith({ pages }).every((part) => isComplete(part, id)) && (!pages || currentBuild(BUILDS) === id);

const partsWith = ({ pages }) => (pages ? ['pages', 'server'] : ['server']);

const isComplete = (part, id) =>
  PARTS[part].outputs().every((file) => existsSync(join(folderOf(BUILDS, part, id), file)));

/**
 * Builds into a new folder and renames it, so that a process that starts meanwhile finds a complete build. A build without
 * the pages is for commands: it does not become the current one, from which a service starts.
 */
async function build(id, { pages }) {
  for (const part of partsWith({ pages })) {
    if (isComplete(part, id)) continue;
    const folder = folderOf(BUILDS, part, id);
    const draft = `${folder}.new`;
    rmSync(draft, { recursive: true, force: true });
    await PARTS[part].build(draft, id);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
  if (pages) makeCurrent(BUILDS, id);
  removeOldBuilds(BUILDS, id);
}

/** Next's own output folder, of which the pages are moved. They find packages by their depth below the project. */
const NEXT_OUTPUT = join(BUILDS, 'next');
const ONLY_FOR_BUILDING = new Set([
  'cache',
  'dev',
  'diagnostics',
  'lock',
  'trace',
  'trace-build',
  'turbopack',
  'types',
]);

async function buildPages(output, id) {
  const next = join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next');
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', PERPETUA_BUILD: id };
  await runQuietly(process.execPath, [next, 'build'], { cwd: ROOT, env }).catch((error) => {
    throw new Error(`The pages could not be built because "next build" failed:\n${error.message}`);
  });
  mkdirSync(output, { recursive: true });
  for (const name of readdirSync(NEXT_OUTPUT)) {
    if (!ONLY_FOR_BUILDING.has(name)) renameSync(join(NEXT_OUTPUT, name), join(output, name));
  }
  await runQuietly(process.execPath, [VIEWER, join(output, 'viewer')], { cwd: ROOT, env }).catch((error) => {
    throw new Error(`The viewer of shares could not be built:\n${error.message}`);
  });
  keepOldStatic(BUILDS, output);
}

async function buildServer(output) {
  const { build: bundle } = await import('rolldown');
  await bundle(serverBundle(output)).catch((error) => {
    throw new Error(`The server could not be built:\n${error.message}`);
  });
}

/**
 * The rolldown options that bundle the server, the commands and the workers into a folder.
 * @param {string} directory
 * @returns {import('rolldown').BuildOptions}
 */
export const serverBundle = (directory) => ({
  cwd: ROOT,
  input: Object.fromEntries(entries().map((file) => [nameOf(file), file])),
  platform: 'node',
  external: /^[^./#]/,
  tsconfig: false,
  output: {
    dir: directory,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
});

/** The entries: server, commands, bench, and every worker, which must be a separate file. */
function entries() {
  const workers = ['server', 'auditor', 'lab'].flatMap((folder) => filesBelow(join(ROOT, folder)));
  return [
    ...ENTRIES.filter((file) => existsSync(join(ROOT, file))),
    ...workers.map((file) => relative(ROOT, file)).filter((file) => file.endsWith('.worker.ts')),
  ];
}

const nameOf = (file) => basename(file, '.ts');

/** A hash of everything that a build depends on. */
function buildId() {
  const settings = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const files = [
    ...settings.filter((name) => /^(package-lock\.json|tsconfig\.json|[^.].*\.([cm]?js|ts))$/.test(name)),
    ...SOURCES.flatMap((folder) => filesBelow(join(ROOT, folder)).map((file) => relative(ROOT, file))),
  ].filter(isSource);
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === SELF) {
  const [development, pages] = ['--development', '--pages'].map((option) => process.argv.includes(option));
  await installAndBuild({ development, pages }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
