import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { SUPERUSER } from './cluster.ts';

/** The role that the service connects as. It owns the database and everything in it, and has no other rights. */
export const SERVICE_ROLE = 'perpetua_service';

/** 48 hex characters, derived from the superuser's password, which cannot be derived from it. */
export const servicePassword = (password: string): string =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('hex').slice(0, 48);

/** 'PERP', 2: serializes concurrent starts. */
const LOCK = [0x50455250, 2];

/** False for objects of clusters older than the role, and for objects that a superuser created since. */
export async function ownsEverything(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ foreign: number }>(
    `SELECT count(*)::int AS foreign FROM (${FOREIGN}) AS found`,
  );
  return rows[0]?.foreign === 0;
}

/**
 * Creates the service role and makes it the owner of the database and all its objects, in one transaction.
 * @param client a superuser's connection to that database
 */
export async function transferToServiceRole(client: pg.Client, database: string, password: string): Promise<void> {
  const [role, name] = [SERVICE_ROLE, database].map((text) => client.escapeIdentifier(text));
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${role}`);
    // Failed statements are logged. This one contains the password, so it must be one that cannot fail.
    await client.query(
      `ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD ${client.escapeLiteral(servicePassword(password))}`,
    );
    await client.query(`ALTER DATABASE ${name} OWNER TO ${role}`);
    const { rows } = await client.query<{ kind: string; name: string }>(FOREIGN);
    for (const { kind, name: object } of rows) await client.query(`ALTER ${kind} ${object} OWNER TO ${role}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Objects owned by another role. The owner of indexes, row types and column sequences changes with their tables. */
const FOREIGN = `
  SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS kind,
         format('%I.%I', nspname, relname) AS name
  FROM pg_class JOIN pg_namespace AS schemas ON schemas.oid = relnamespace
  WHERE nspname = 'public' AND relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_get_userbyid(relowner) <> '${SERVICE_ROLE}'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype IN ('a', 'i') AND relkind = 'S')
  UNION ALL
  SELECT 'ROUTINE', oid::regprocedure::text FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) <> '${SERVICE_ROLE}'
  UNION ALL
  SELECT 'TYPE', oid::regtype::text FROM pg_type
  WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e') AND pg_get_userbyid(typowner) <> '${SERVICE_ROLE}'`;

/** A server's URL with the role and its password. */
export function addressFor(role: typeof SUPERUSER | typeof SERVICE_ROLE, url: URL, password: string): URL {
  const address = new URL(url);
  address.username = role;
  address.password = role === SUPERUSER ? password : servicePassword(password);
  return address;
}
