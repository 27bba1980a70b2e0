import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';
import { compile } from 'tailwindcss';
import { operationData } from '../../client/operation-data.mjs';
import iconLoader from '../_ui/icon-loader.mjs';

// node app/view/build.mjs FOLDER [--watch]
// Builds /view: its scripts, its style, and its document in each language, which server/http/viewer.ts serves. Without Next, whose
// scripts alone are larger than what an old computer should load.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STYLES = join(ROOT, 'app', '_ui', 'styles');
const ADDRESS = '/view/files/';

const table = join(ROOT, 'protocol', 'operations.ts');
const data = await operationData();

/** What the scripts and the documents are built with. */
const SHARED = {
  cwd: ROOT,
  platform: 'browser',
  tsconfig: false,
  logLevel: 'warn',
  // Components have directives for Next, which mean nothing here.
  onLog: (level, log, report) => log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log),
  // Messages are parsed with the build, as for Next's pages: next.config.js.
  resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
  transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' }, target: 'es2022' },
  plugins: [
    { name: 'operation-data', load: (id) => (id === table ? data : null) },
    { name: 'icons', load: (id) => (id.endsWith('/lucide-react/dist/esm/createLucideIcon.mjs') ? iconLoader() : null) },
  ],
};

const scriptsIn = (folder, name) => ({
  ...SHARED,
  input: { view: 'app/view/view.tsx' },
  output: { dir: folder, format: 'esm', minify: true, entryFileNames: name, chunkFileNames: name },
});

/** Writes the style and the documents for the scripts in a folder. */
async function writeDocuments(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const entry = scripts.find((name) => /^view(-[\w-]+)?\.js$/.test(name));
  const { output } = await build({
    ...SHARED,
    input: 'app/view/document.tsx',
    write: false,
    output: { format: 'esm', codeSplitting: false },
  });
  const [{ code }] = output;
  const { documents } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  // With the hash of the script, because both change together.
  const style = entry.replace(/js$/, 'css');
  const made = Object.entries(documents({ script: ADDRESS + entry, style: ADDRESS + style }));
  const texts = scripts.map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, style), await styleOf([...texts, ...made.map(([, html]) => html)]));
  for (const [language, html] of made) writeFileSync(join(folder, `${language}.html`), html);
}

/** The style of the classes in some texts. */
async function styleOf(texts) {
  const path = join(STYLES, 'global.css');
  const loadStylesheet = async (id, base) => {
    const at = id === 'tailwindcss' ? fileURLToPath(import.meta.resolve('tailwindcss/index.css')) : join(base, id);
    return { path: at, base: dirname(at), content: readFileSync(at, 'utf8') };
  };
  const { build: styleFor } = await compile(readFileSync(path, 'utf8'), { base: STYLES, from: path, loadStylesheet });
  const words = new Set(texts.flatMap((text) => text.split(/[\s"'`]+/)));
  return styleFor([...words].filter((word) => word.length < 200));
}

const [folder, mode] = process.argv.slice(2);
if (mode === '--watch') {
  process.once('disconnect', () => process.exit());
  // The names stay the same, because a server of a development version reads the files anew.
  const watcher = watch(scriptsIn(folder, '[name].js'));
  const report = ({ message }) => console.error(`/view could not be built:\n${message}`);
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_END') await writeDocuments(folder).catch(report);
    if (event.code === 'ERROR') report(event.error);
    if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result.close();
  });
} else {
  await build(scriptsIn(folder, '[name]-[hash].js'));
  await writeDocuments(folder);
  // React's renderer for browsers keeps a channel open.
  process.exit();
}
