import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { requirePackages } from '../../server/launch/debian.mjs';
import { CLEAN_ENVIRONMENT, sharedBinaries } from '../../server/platform/db/postgres/binaries.ts';
import { type Cluster, launchPostmaster, stopPostmaster } from '../../server/platform/db/postgres/postmaster.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { type Authority, newAuthority } from './test-authority.ts';

/** Whose PostgreSQL runs: version 15 of Debian 12, or the version of the package that the service brings along. */
export type Release = 'Debian' | 'embedded';

const DEBIAN = '/usr/lib/postgresql/15';
const SUPERUSER = 'postgres';
const PASSWORD = 'superuser-of-the-test';

/** A PostgreSQL that admits only TLS connections with SCRAM over TCP, and the user `postgres` of the system at its socket. */
export interface TestPostgresql {
  /** Its files, the cluster in `data`, owned by the user postgres. */
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly authority: Authority;
  readonly account: { readonly uid: number; readonly gid: number };
  /** The URL of a role and a database, with verify-full unless `query` is given. */
  url(role: string, password: string, database: string, query?: string): string;
  /** Runs statements as the superuser. */
  query(text: string, database?: string): Promise<pg.QueryResult>;
  start(settings?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

const HBA = `local all postgres peer
hostssl all all 127.0.0.1/32 scram-sha-256
`;

export async function createPostgresql(release: Release): Promise<TestPostgresql> {
  requirePackages('postgresql-15', 'openssl');
  const account = accountOf('postgres');
  const binaries = release === 'Debian' ? { directory: DEBIAN, version: '15' } : await sharedBinaries();
  const folder = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-postgresql-`));
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  const cluster: Cluster = { directory: data, account, binaries };
  const port = await freePort();
  const authority = newAuthority(folder);
  const server = authority.issue('server', ['localhost']);
  writeFileSync(passwordFile, PASSWORD);
  for (const path of [folder, passwordFile, server.key]) chownSync(path, account.uid, account.gid);
  const options = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--locale=C.UTF-8'];
  execFileSync(join(binaries.directory, 'bin', 'initdb'), [...options, data], {
    ...{ cwd: folder, env: CLEAN_ENVIRONMENT, stdio: 'pipe' as const, ...account },
  });
  writeFileSync(join(data, 'pg_hba.conf'), HBA);

  const url: TestPostgresql['url'] = (
    role,
    password,
    database,
    query = `?sslmode=verify-full&sslrootcert=${authority.file}`,
  ) => `postgres://${role}:${password}@localhost:${port}/${database}${query}`;

  return {
    ...{ folder, data, port, authority, account, url },
    async query(text, database = 'postgres') {
      const client = new pg.Client({ connectionString: url(SUPERUSER, PASSWORD, database) });
      client.on('error', () => undefined);
      await client.connect();
      return client.query(text).finally(() => client.end());
    },
    async start(settings = {}) {
      const tls = { ssl: 'on', ssl_cert_file: server.cert, ssl_key_file: server.key, max_connections: '200' };
      await launchPostmaster(cluster, () => undefined, port, { ...tls, ...settings });
    },
    stop: () => stopPostmaster(data),
    async remove() {
      await stopPostmaster(data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As docs/deployment.md creates the role of the service and its database. */
export async function createOwner({ query, url }: TestPostgresql, role: string, password: string): Promise<string> {
  await query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await query(`CREATE DATABASE ${role} OWNER ${role} TEMPLATE template0 ENCODING 'UTF8'`);
  return url(role, password, role);
}

export function accountOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
