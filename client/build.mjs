import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { memberDocs } from './member-docs.mjs';
import { operationData } from './operation-data.mjs';
import { writtenTypes } from './written-types.mjs';

// Builds the package into client/dist: one module for each source file, so that bundlers drop what is not used, and its types.
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'client', 'dist');
const WORK = join(ROOT, '.build', `client-${process.pid}`);
const ENTRIES = ['client/index.ts', 'client/words.ts', 'client/key-file.ts'];

async function buildModules() {
  const table = join(ROOT, 'protocol', 'operations.ts');
  const data = await operationData();
  await build({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'browser',
    external: /^(@noble|@scure)\//,
    tsconfig: false,
    logLevel: 'warn',
    treeshake: { moduleSideEffects: (id) => id.endsWith('/ed25519.ts') },
    plugins: [{ name: 'operation-data', load: (id) => (id === table ? data : null) }],
    output: { dir: DIST, format: 'esm', preserveModules: true, preserveModulesRoot: ROOT, entryFileNames: '[name].js' },
  });
}

async function buildTypes() {
  const out = join(WORK, 'declarations');
  const config = join(WORK, 'tsconfig.json');
  const settings = {
    extends: '../../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: out,
      rootDir: ROOT,
      plugins: [],
    },
    files: ENTRIES.map((file) => join(ROOT, file)),
    include: [],
  };
  writeFileSync(config, JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { stdout, error } = spawnSync(tsc, ['-p', config], { cwd: ROOT, encoding: 'utf8' });
  // The table's own declaration would need names that its rows keep to themselves (TS4023). It is not part of the package.
  const problems = stdout
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/^protocol\/operations\.ts.*TS4023/.test(line));
  if (error || problems.length > 0) throw new Error(`The types could not be built: ${error ?? problems.join('\n')}`);
  const types = writtenTypes(config, join(ROOT, 'client', 'types.ts'), await memberDocs());
  copyDeclarations(out, `import type { Json } from '../protocol/signing/canonical-json.ts';\n${types}\n`);
}

/** Copies the declarations that the entries need. */
function copyDeclarations(out, types) {
  const waiting = ENTRIES.map((file) => file.replace(/\.ts$/, '.d.ts'));
  const done = new Set();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const text = file === 'client/types.d.ts' ? types : readFileSync(join(out, file), 'utf8');
    const target = join(DIST, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
    for (const [, , path] of text.matchAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g)) {
      const next = join(dirname(file), `${path}.d.ts`);
      if (!existsSync(join(out, next))) throw new Error(`${file} imports ${path}, which has no declaration.`);
      waiting.push(next);
    }
    if (/from ['"](zod|react|next)/.test(text))
      throw new Error(`The types of ${file} need a package that the client does not have.`);
  }
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(WORK, { recursive: true });
try {
  await buildModules();
  await buildTypes();
} finally {
  rmSync(WORK, { recursive: true, force: true });
}
