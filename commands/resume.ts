import { readOptions } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { resume } from './posting/switch-posting.ts';

const usage = `npm run resume

Ends the pause of "npm run pause". Run it with the settings of the service, while it runs or not.

Exit status: 0 it is done, 2 the command could not run.
`;

await runCommand({ usage, progress: 'Resuming' }, async (args, parts) => {
  readOptions(args, {});
  await resume(parts);
  return 'clean';
});
