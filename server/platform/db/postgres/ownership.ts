import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

import { SUPERUSER } from './cluster.ts';
import { DirectoryInUse, EmbeddedPostgresError } from './error.ts';
import { addressFor, ownsEverything, SERVICE_ROLE, transferToServiceRole } from './service-role.ts';

export const DATABASE = 'perpetua';
const OWNER_LOCK = [0x50455250, 1];
const ANSWER_MS = 2_000;

/** The connection that holds the owner lock. */
export type Ownership = {
  /** Resolves if the connection, and with it the lock, is lost before `end()` is called. */
  lost: Promise<void>;
  /** Whether the lock is still held. It is assumed to be if the server does not answer in time. */
  isHeld(): Promise<boolean>;
  end(): Promise<void>;
};

/**
 * Opens the connection that holds the database's owner lock; the server releases it if the process dies. Creates the
 * database if missing, and transfers it to the service role if needed.
 * @throws {DirectoryInUse} if another process still holds the lock after three seconds
 * @throws {EmbeddedPostgresError} if the stored password is wrong
 */
export async function takeOwnership(url: URL, password: string, dataDir: string): Promise<Ownership> {
  const client = await openPrepared(url, password).catch((error) => {
    if (codeOf(error) !== WRONG_PASSWORD) throw error;
    throw new EmbeddedPostgresError(`The password stored in ${dataDir} is not the password of its database.`);
  });
  let ending = false;
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      if (!ending) resolve();
    });
  });
  const end = () => {
    ending = true;
    return client.end().catch(() => undefined);
  };
  try {
    const deadline = Date.now() + 3_000;
    while (!(await tryLock(client))) {
      if (Date.now() > deadline) {
        throw new DirectoryInUse(
          `Another Perpetua process is using the data directory ${dataDir}; stop it, or set DATA_DIR to another one.`,
        );
      }
      await sleep(100);
    }
  } catch (error) {
    await end();
    throw error;
  }
  const isHeld = () => {
    const answered = client.query('select').then(
      () => true,
      () => false,
    );
    return Promise.race([answered, sleep(ANSWER_MS, true, { ref: false })]);
  };
  return { lost, isHeld, end };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', OWNER_LOCK);
  return rows[0]?.held === true;
}

async function openPrepared(url: URL, password: string): Promise<pg.Client> {
  const address = addressFor(SERVICE_ROLE, url, password);
  const ready = await open(address).catch((error: unknown) => {
    if (codeOf(error) !== WRONG_PASSWORD && codeOf(error) !== MISSING_DATABASE) throw error;
    return null;
  });
  if (ready && (await ownsEverything(ready))) return ready;
  await ready?.end();
  const admin = await openOrCreate(addressFor(SUPERUSER, url, password));
  await transferToServiceRole(admin, DATABASE, password).finally(() => admin.end());
  return open(address);
}

async function openOrCreate(url: URL): Promise<pg.Client> {
  try {
    return await open(url);
  } catch (error) {
    if (codeOf(error) !== MISSING_DATABASE) throw error;
  }
  const maintenance = await open(new URL(`/postgres${url.search}`, url));
  try {
    await maintenance.query(`create database ${DATABASE}`).catch((error) => {
      if (!CREATED_BY_ANOTHER.has(codeOf(error))) throw error;
    });
  } finally {
    await maintenance.end();
  }
  return open(url);
}

async function open(url: URL): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url.href,
    application_name: 'perpetua owner',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const WRONG_PASSWORD = '28P01';
const MISSING_DATABASE = '3D000';
const CREATED_BY_ANOTHER = new Set(['42P04', '23505', '55006']);
const TRANSIENT = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Whether an error only means that the server is stopping or starting, so that a retry helps. */
export function isTransient(error: unknown): boolean {
  if ((error as { syscall?: unknown }).syscall === 'connect') return true;
  return TRANSIENT.has(codeOf(error)) || /connection (terminated|error)/i.test(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
