import './node-version.mjs';
import { pathToFileURL } from 'node:url';
import { builtEntry, isEntry, prepare } from './build.mjs';

// `npm run verify`, `restore`, `rotate-vault-key`, `traces`, `bench`: prepares as `npm start` does, then runs the command.
const [name = ''] = process.argv.splice(2, 1);
// Exit code 2: the command could not run; 1 reports findings. Only the bench starts a server, which needs the pages.
// The MCP server speaks its protocol on standard output.
const output = name === 'mcp-stdio' ? 2 : 1;
const build = await prepare({ pages: name === 'bench', output });
if (!build) {
  process.exitCode = 2;
} else if (!isEntry(name)) {
  console.error(`Unknown command "${name}".`);
  process.exitCode = 2;
} else {
  process.env.NODE_ENV = 'production';
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  await import(pathToFileURL(builtEntry(build, name)).href);
}
