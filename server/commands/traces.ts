import { traces } from '../audit/traces.ts';
import { readArgument } from '../operator/options.ts';
import { runCommand } from './command.ts';

const usage = `npm run traces -- <beo id or domain>

Counts what the database holds about a BEO, place by place, and never shows what it says. After destruction ask by the id: the
domain is nobody's then. The settings of the service say where the database is (docs/operations.md); the service may run meanwhile.

Exit status: 0 the BEO lives, or nothing erasable is left of it; 1 something is; 2 it could not be found out.
`;

await runCommand({ usage, progress: 'Looking' }, async (args, parts) =>
  (await traces(readArgument(args, 'the id or domain of a BEO'), parts)) ? 'clean' : 'breach',
);
