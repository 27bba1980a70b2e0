import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { SERVICE_ROLE } from '../embedded/postgres/service-role.ts';

/**
 * Makes an empty database of its own for a test file, on the PostgreSQL of the test run; it belongs to the role of the service.
 * `drop()` removes it even while connections to it are open.
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

/** The same database for a superuser. */
export const adminUrlOf = (url: string): string => new URL(new URL(url).pathname, inject('postgresAdminUrl')).href;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
