import '../../server/launch/node-version.mjs';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT, serverBundle } from '../../server/launch/build.mjs';

// `npm run fuzz`: it uses the parties of the tests, so it is built apart from the commands of the product.
if (!(await prepare({ development: true }))) {
  process.exitCode = 2;
} else {
  const { build } = await import('rolldown');
  const cache = join(ROOT, 'node_modules', '.cache', 'perpetua');
  const directory = join(cache, `fuzz-${process.pid}`);
  mkdirSync(cache, { recursive: true });
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await build({ ...serverBundle(directory), input: { fuzz: 'lab/fuzz/fuzz-command.ts' } });
  const { main } = await import(pathToFileURL(join(directory, 'fuzz.js')).href);
  await main(ROOT);
}
