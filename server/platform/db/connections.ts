import { createPool } from './pool.ts';

/**
 * The pools of a serving process. `reserve` is one connection for the batches, and one for the reads of operations with a
 * reserve: neither waits for a connection that other requests use.
 */
export const POOL_SIZES = { writes: 6, reserve: 2, records: 4, lists: 4, mail: 2, webhooks: 2 } as const;

const PER_PROCESS = Object.values(POOL_SIZES).reduce((sum, size) => sum + size, 0);
/** For commands, backups and the checks at a start. */
const OTHERS = 10;

/** The connections to the database that a service may open. A reload of several processes runs one more. */
export const connectionsOf = (processes: number): number => PER_PROCESS * (processes > 1 ? processes + 1 : 1) + OTHERS;

/**
 * Why a database accepts too few connections, as one sentence with a remedy, or null. Such a service works until its pools are
 * full, and then answers some requests with 503. The connections of other machines are not known here.
 * @throws database errors
 */
export async function connectionLimitProblem(url: string, processes: number): Promise<string | null> {
  const pool = createPool(url, 1, () => undefined);
  const { rows } = await pool.query<{ accepted: number }>(ACCEPTED).finally(() => pool.end());
  const [needed, accepted] = [connectionsOf(processes), rows[0]?.accepted ?? 0];
  if (accepted >= needed) return null;
  return `With ${processes === 1 ? 'one process' : `${processes} processes`} the service opens up to ${needed} connections, but the database accepts ${accepted} from its role; raise max_connections, or lower PROCESSES.`;
}

/** The limits of the server, the role and the database; -1 is none. */
const ACCEPTED = `SELECT least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())) AS accepted`;
