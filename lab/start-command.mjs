import '../server/launch/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from '../server/launch/build.mjs';

// `npm run chaos` and `npm run fuzz`.
const [, , name, ...args] = process.argv;
process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
if (!(await prepare({ development: true, pages: name === 'fuzz' }))) {
  process.exitCode = 2;
} else {
  const { buildPrograms, CHAOS_PROGRAMS } = await import('./programs.mjs');
  const command = { [name]: `lab/${name}/${name}-command.ts` };
  const { directory, remove } = await buildPrograms({ ...command, ...(name === 'chaos' && CHAOS_PROGRAMS) });
  process.once('exit', remove);
  const { main } = await import(pathToFileURL(join(directory, `${name}.js`)).href);
  await main(name === 'chaos' ? directory : ROOT);
}
