import pg from 'pg';
import { databaseHosts } from '../../settings/database-hosts.ts';

const PROBE_MS = 2_000;

/** Several hosts were named, and none of them accepts writes. SQLSTATE class 08, so that it counts as a lost connection. */
export class NoPrimary extends Error {
  readonly code = '08001';

  constructor() {
    super('None of the hosts in DATABASE_URL is a primary.');
  }
}

/** The constructor and the URL of clients for a database URL. With several hosts they connect to the current primary. */
export function clientsOf(url: string): { readonly Client: typeof pg.Client; readonly connectionString: string } {
  const hosts = databaseHosts(url) ?? [url];
  return { Client: hosts.length > 1 ? followPrimary(hosts) : pg.Client, connectionString: hosts[0] ?? url };
}

interface Primary {
  readonly host: string;
  readonly port: number;
}

/** Clients that share what they found, until one of them cannot connect or loses its connection. */
function followPrimary(urls: readonly string[]): typeof pg.Client {
  let finding: Promise<Primary> | null = null;
  const forget = () => {
    finding = null;
  };
  return class PrimaryClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.on('error', forget);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connecting = this.connectToPrimary().catch((error) => {
        forget();
        throw error;
      });
      if (!callback) return connecting;
      // A pool's callback takes no error on success.
      connecting.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    private async connectToPrimary(): Promise<pg.Client> {
      finding ??= findPrimary(urls);
      const primary = await finding;
      Object.assign(this, primary);
      await super.connect();
      // The server may have become a standby since it was found.
      const { rows } = await this.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      if (!rows[0]?.standby) return this;
      await this.end();
      throw new NoPrimary();
    }
  };
}

/**
 * All hosts are asked at once. Of several primaries, the one on the latest timeline was promoted last: the others were
 * started again after a failover and lack its operations.
 */
async function findPrimary(urls: readonly string[]): Promise<Primary> {
  const probed = await Promise.allSettled(urls.map(probe));
  const found = probed.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
  const [latest] = found.sort((one, other) => other.timeline - one.timeline);
  if (latest) return { host: latest.host, port: latest.port };
  const failed = probed.filter((result) => result.status === 'rejected');
  throw failed.length === urls.length ? failed[0]?.reason : new NoPrimary();
}

/** The host with its timeline, or null if it is a standby. */
async function probe(url: string): Promise<(Primary & { readonly timeline: number }) | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'perpetua',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(
      'SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline',
    );
    const timeline = rows[0]?.timeline;
    return timeline ? { host: client.host, port: client.port, timeline: Number.parseInt(timeline, 16) } : null;
  } finally {
    void client.end().catch(() => undefined);
  }
}
