import './node-version.mjs';
import { pathToFileURL } from 'node:url';
import { builtEntry, prepare } from './build.mjs';

// `npm start`: installs and builds what is missing, then runs the server in this process, so that it receives signals.
const build = await prepare();
if (build) {
  process.env.NODE_ENV = 'production';
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  await import(pathToFileURL(builtEntry(build, 'main')).href);
} else {
  process.exitCode = 1;
}
