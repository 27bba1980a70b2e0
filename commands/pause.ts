import { readOptions } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { pause } from './posting/switch-posting.ts';

const usage = `npm run pause

Stops posting to the network, for work on it or on the wallet. Operations are still accepted and wait, up to MAX_BACKLOG; bundles that were
posted are still confirmed. The pause is kept in the database: every process obeys it, also after a restart, until "npm run resume". Run it
with the settings of the service, while it runs or not.

Exit status: 0 it is done, 2 the command could not run.
`;

await runCommand({ usage, progress: 'Pausing' }, async (args, parts) => {
  readOptions(args, {});
  await pause(parts);
  return 'clean';
});
