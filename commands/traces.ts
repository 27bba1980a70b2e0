import { readArgument } from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';
import { traces } from './traces/find-traces.ts';

const usage = `npm run traces -- <beo id or domain>

Counts the rows that the database stores about a BEO, by kind, without showing their content. After a destruction give the id:
the domain is no longer assigned. The settings of the service specify the database (docs/operations.md); the service may be running.

Exit status: 0 the BEO exists, or no erasable data are left; 1 erasable data are left; 2 the command could not run.
`;

await runCommand({ usage, progress: 'Counting' }, async (args, parts) =>
  (await traces(readArgument(args, 'the id or domain of a BEO'), parts)) ? 'clean' : 'breach',
);
