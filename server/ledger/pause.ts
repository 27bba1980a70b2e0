import type { Pool } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';

type Db = Pick<Pool, 'query'>;

/** Since when an operator has paused posting; null if it is not paused. It holds for every process of the database. */
export async function readPause(db: Db): Promise<Instant | null> {
  const { rows } = await db.query<{ since: Instant }>({
    name: 'read-posting-pause',
    text: 'SELECT since FROM posting_pause',
  });
  return rows[0]?.since ?? null;
}

/** Operations are accepted and wait until `resumePosting`. Returns whether posting was not paused before. */
export async function pausePosting(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    'INSERT INTO posting_pause (since) VALUES (clock_timestamp()) ON CONFLICT DO NOTHING',
  );
  return rowCount === 1;
}

/** Returns whether posting was paused. */
export async function resumePosting(db: Db): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM posting_pause');
  return rowCount === 1;
}

export const pauseProblem = (since: Instant): string =>
  `An operator has paused posting since ${since}. Operations are accepted and wait until "npm run resume".`;
