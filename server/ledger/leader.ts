import type { Pool, PoolClient } from 'pg';

/** The key of the leader's advisory lock. */
export const RELAY_LOCK = 7_305_012;

/** Elects the one process that relays for a database. The advisory lock ends with its connection. */
export interface Leadership {
  /** Whether this process leads; tries to become the leader if there is none. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

export function createLeadership(pool: Pool): Leadership {
  let client: PoolClient | null = null;

  async function resign(): Promise<void> {
    const connection = client;
    client = null;
    connection?.release(true);
  }

  return {
    async held() {
      if (client) {
        try {
          await client.query('SELECT 1');
          return true;
        } catch {
          await resign();
        }
      }
      const candidate = await pool.connect();
      try {
        const { rows } = await candidate.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [
          RELAY_LOCK,
        ]);
        if (rows[0]?.won) {
          client = candidate;
          candidate.once('error', () => {
            if (client === candidate) void resign();
          });
          return true;
        }
        candidate.release();
        return false;
      } catch (error) {
        candidate.release(true);
        throw error;
      }
    },
    release: resign,
  };
}
