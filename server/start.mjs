import './launch/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { builtEntry, prepare } from './build.mjs';

// `npm start`: installs and builds what is missing, then becomes the server itself, so that signals go straight to it.
if (await prepare()) {
  process.env.NODE_ENV = 'production';
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  await import(pathToFileURL(builtEntry('main')).href);
} else {
  process.exitCode = 1;
}
