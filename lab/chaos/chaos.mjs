import '../../server/launch/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from '../../server/launch/build.mjs';

// `npm run chaos`: it uses the parties of the tests, so it is built apart from the commands of the product.
if (!(await prepare({ development: true, pages: false }))) {
  process.exitCode = 2;
} else {
  const { buildPrograms } = await import('./programs.mjs');
  const { directory, remove } = await buildPrograms({ command: true });
  process.once('exit', remove);
  const { main } = await import(pathToFileURL(join(directory, 'chaos.js')).href);
  await main(directory);
}
