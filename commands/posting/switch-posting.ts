import type { Pool } from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { readConfig } from '../../server/config.ts';
import { readBacklog } from '../../server/ledger/entries.ts';
import { pausePosting, readPause, resumePosting } from '../../server/ledger/pause.ts';
import { openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { databaseProblem } from '../../server/platform/db/database-problem.ts';
import { createPool } from '../../server/platform/db/pool.ts';

/** `npm run pause`. @throws {CommandError | ConfigError} if the database cannot be used; nothing was changed then */
export const pause = (parts: CommandParts): Promise<void> =>
  onDatabase(parts, async (pool, maxDelayMs) => {
    const isNew = await pausePosting(pool);
    const since = await readPause(pool);
    parts.print(isNew ? `Posting is paused since ${since}.` : `Posting was paused already, since ${since}.`);
    const { entries, oldestSeconds } = await readBacklog(pool);
    const due = new Date(Date.now() - (oldestSeconds ?? 0) * 1_000 + maxDelayMs).toISOString();
    parts.print(
      entries === 0
        ? 'No operation waits. What is accepted now waits until "npm run resume".'
        : `${entries} operations wait until "npm run resume". The oldest must be in a block by ${due}; after that, an audit reports a breach.`,
    );
  });

/** `npm run resume`. @throws {CommandError | ConfigError} as `pause` */
export const resume = (parts: CommandParts): Promise<void> =>
  onDatabase(parts, async (pool) => {
    const since = await readPause(pool);
    const wasPaused = await resumePosting(pool);
    parts.print(wasPaused ? `Posting continues. It was paused since ${since}.` : 'Posting was not paused.');
  });

async function onDatabase(parts: CommandParts, work: (pool: Pool, maxDelayMs: number) => Promise<void>): Promise<void> {
  const config = readConfig(parts.env);
  const url = await openDatabase(config, await runningService(config), parts);
  const problem = config.DATABASE_URL ? await databaseProblem(url) : null;
  if (problem) throw new CommandError(problem);
  const pool = createPool(url, 1, () => undefined);
  parts.addStep('the connection', () => pool.end());
  await work(pool, config.MAX_POSTING_DELAY_SECONDS * 1_000);
}
