import './launch/node-version.mjs';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { builtEntry, prepare } from './build.mjs';

// `npm run verify`, `restore`, `rotate-vault-key`, `traces`, `bench`: the same preparation, then the command with the arguments that follow its name.
const [name = ''] = process.argv.splice(2, 1);
// 2: it could not run. 1 is what a command says of what it found. Of all commands only the bench starts a server.
if (!(await prepare({ pages: name === 'bench' }))) {
  process.exitCode = 2;
} else if (!/^[\w-]+$/.test(name) || !existsSync(builtEntry(name))) {
  console.error(`There is no command "${name}".`);
  process.exitCode = 2;
} else {
  process.env.NODE_ENV = 'production';
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  await import(pathToFileURL(builtEntry(name)).href);
}
