import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { SUPERUSER } from './cluster.ts';

/** The role that the service connects as: it owns the database and everything in it, and nothing else. */
export const SERVICE_ROLE = 'perpetua_service';

/** Follows from the superuser's, which does not follow from it: 48 hex characters. */
export const servicePassword = (password: string): string =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('hex').slice(0, 48);

/** 'PERP', 2: two processes that start at once do this after each other. */
const LOCK = [0x50455250, 2];

/** Whether something in the database is not the role's own: of a cluster from before the role, or of a superuser since. */
export async function ownsEverything(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ foreign: number }>(
    `SELECT count(*)::int AS foreign FROM (${FOREIGN}) AS found`,
  );
  return rows[0]?.foreign === 0;
}

/**
 * Makes the role and gives it the database with all that is in it, in one transaction. Nothing is moved or copied.
 * @param client a superuser's, in that database.
 */
export async function handOver(client: pg.Client, database: string, password: string): Promise<void> {
  const [role, name] = [SERVICE_ROLE, database].map((text) => client.escapeIdentifier(text));
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${role}`);
    // A statement that fails is logged, and its text must not hold the password: nothing in it can fail but for lack of space.
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

/** What the service has made, or will write to, and another role owns. Indexes, row types and the sequences of columns follow their tables. */
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

/** The address of a server for the superuser, or for the service. */
export function addressFor(role: typeof SUPERUSER | typeof SERVICE_ROLE, url: URL, password: string): URL {
  const address = new URL(url);
  address.username = role;
  address.password = role === SUPERUSER ? password : servicePassword(password);
  return address;
}
