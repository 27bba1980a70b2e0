import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { SERVICE_ROLE } from '../embedded/postgres/service-role.ts';

/**
 * Creates an empty database on the PostgreSQL of the test run, owned by the service role.
 * `drop()` removes it even while connections are open.
 */
export async function freshDatabase(): Promise<{ url: string; adminUrl: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`create database ${name} template template0 owner ${SERVICE_ROLE}`);
  return {
    url: new URL(`/${name}`, inject('postgresUrl')).href,
    adminUrl: adminUrlOf(`postgres:///${name}`),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}

/** The database's URL for a superuser. */
export const adminUrlOf = (url: string): string => new URL(new URL(url).pathname, inject('postgresAdminUrl')).href;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
