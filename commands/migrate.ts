import { readConfig } from '../server/config.ts';
import { openDatabase, runningService } from '../server/platform/command-line/operator.ts';
import { CommandError, readOptions } from '../server/platform/command-line/options.ts';
import { databaseProblem } from '../server/platform/db/database-problem.ts';
import { migrateDatabase } from '../server/platform/db/migrate.ts';
import { runCommand } from './command.ts';

const usage = `npm run migrate

Brings the schema of the database up to date and ends. A start of the service does the same; run this first where several processes start
at once, or where the role of the service may not change the schema: give the owner of the database in DATABASE_URL then. Processes of the
previous version may keep running meanwhile.

Exit status: 0 the schema is up to date, 2 the command could not run.
`;

await runCommand({ usage, progress: 'Migrating' }, async (args, parts) => {
  readOptions(args, {});
  const config = readConfig(parts.env);
  const url = await openDatabase(config, await runningService(config), parts);
  const problem = config.DATABASE_URL ? await databaseProblem(url) : null;
  if (problem) throw new CommandError(problem);
  const applied = await migrateDatabase(url, () => undefined);
  parts.print(applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The schema is up to date.');
  return 'clean';
});
