import { createHmac, hash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { z } from 'zod';
import { DAY_MS } from '../../../protocol/days.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { ownShare } from '../../../protocol/read-responses.ts';
import { MAX_HELD_SHARES, PASSCODE_ATTEMPTS } from '../../../protocol/share-files.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import { youngAfter, youngLimit } from '../vault/stored-bytes.ts';

export type Share = z.output<typeof ownShare>['share'];

/** Ended shares stay in the list for this time, without their files. */
const LISTED_MS = 30 * DAY_MS;
/** Ended shares that a holder keeps at a creation; all others can end after it. */
export const MAX_ENDED = 30;
const MAX_LISTED = MAX_HELD_SHARES + MAX_ENDED;

/** What the database has in place of a share's id. */
export const shareHash = (id: string): Buffer => hash('sha256', id, 'buffer');

/** Whether a share can still be opened or stopped at $`now`, as a SQL condition on its row. */
export const isLive = (now: string): string => `stopped_at IS NULL AND expires_at > ${now}::timestamptz`;

/** Whether it can be opened once more. */
export const canBeOpened = (now: string): string =>
  `${isLive(now)} AND openings < max_openings AND wrong_passcodes < ${PASSCODE_ATTEMPTS}`;

interface Details {
  readonly id: string;
  readonly label: string;
  /** The digest of all fields that were signed, hex: tells a repetition from another request with the same file. */
  readonly signed: string;
}

const detailsOf = (of: Buffer): string => JSON.stringify(['share', of.toString('hex')]);
const openingOf = (id: string, at: Instant): string => JSON.stringify(['share opening', id, at]);

/** @param key the holder's data key */
export const sealDetails = (key: Uint8Array, details: Details): Buffer =>
  encrypt(key, detailsOf(shareHash(details.id)), Buffer.from(JSON.stringify(details)));

/** @throws {IntegrityFailure} */
export const openDetails = (key: Uint8Array, row: Pick<ShareRow, 'hash' | 'details'>): Details =>
  JSON.parse(decrypt(key, detailsOf(row.hash), row.details).toString());

export const sealRecipient = (key: Uint8Array, id: string, at: Instant, recipient: string): Buffer =>
  encrypt(key, openingOf(id, at), Buffer.from(recipient));

/** What the database compares a passcode with: without the holder's data key it cannot be guessed from its digest. */
export const passcodeCheck = (key: Uint8Array, digest: string): Buffer =>
  createHmac('sha256', key).update(`share passcode:${digest.toLowerCase()}`).digest();

interface ShareRow {
  readonly hash: Buffer;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  readonly stopped_at: Instant | null;
  readonly bytes: number;
  readonly max_openings: number;
  readonly openings: number;
  readonly has_passcode: boolean;
  readonly wrong_passcodes: number;
  readonly details: Buffer;
}

interface OpeningRow {
  readonly id: string;
  readonly hash: Buffer;
  readonly at: Instant;
  readonly recipient: Buffer;
}

/** The shares of a holder with their openings, newest first; one of them if `only` is its hash. @throws {IntegrityFailure} */
export async function readShares(
  db: Pick<Pool, 'query'>,
  { key, ownerId, now }: { readonly key: Uint8Array; readonly ownerId: string; readonly now: number },
  only: Buffer | null = null,
): Promise<Share[]> {
  const [{ rows: shares }, { rows: openings }] = await Promise.all([
    db.query<ShareRow>({
      name: 'list-shares',
      text: `SELECT hash, created_at, expires_at, stopped_at, bytes, max_openings, openings, passcode IS NOT NULL AS has_passcode,
               wrong_passcodes, details FROM shares
             WHERE owner_id = $1 AND ($2::bytea IS NULL OR hash = $2)
             ORDER BY created_at DESC, hash LIMIT ${MAX_LISTED}`,
      values: [ownerId, only],
    }),
    db.query<OpeningRow>({
      name: 'list-share-openings',
      text: `SELECT id, hash, at, recipient FROM share_openings WHERE hash IN
               (SELECT hash FROM shares WHERE owner_id = $1 AND ($2::bytea IS NULL OR hash = $2)
                ORDER BY created_at DESC, hash LIMIT ${MAX_LISTED}) ORDER BY at DESC, id`,
      values: [ownerId, only],
    }),
  ]);
  const openingsOf = new Map<string, OpeningRow[]>(shares.map((row) => [row.hash.toString('hex'), []]));
  for (const opening of openings) openingsOf.get(opening.hash.toString('hex'))?.push(opening);
  return shares.map((row) => {
    const { id, label } = openDetails(key, row);
    return {
      share_id: id,
      label,
      status: statusOf(row, now),
      created_at: row.created_at,
      expires_at: row.expires_at,
      stopped_at: row.stopped_at,
      bytes: row.bytes,
      max_openings: row.max_openings,
      attempts_left: row.has_passcode ? PASSCODE_ATTEMPTS - row.wrong_passcodes : null,
      openings: (openingsOf.get(row.hash.toString('hex')) ?? []).map(({ id: openingId, at, recipient }) => ({
        at,
        recipient: decrypt(key, openingOf(openingId, at), recipient).toString(),
      })),
    };
  });
}

function statusOf(row: ShareRow, now: number): Share['status'] {
  if (row.stopped_at !== null) return 'STOPPED';
  if (Date.parse(row.expires_at) <= now) return 'EXPIRED';
  if (row.wrong_passcodes >= PASSCODE_ATTEMPTS) return 'GUESSED';
  return row.openings >= row.max_openings ? 'USED_UP' : 'ACTIVE';
}

/** The characters of all live shares, which may be a quarter of the space, and of those of identities younger than 30 days. */
export async function readSharedBytes(
  db: Pick<Pool, 'query'>,
  now: number,
): Promise<{ readonly all: number; readonly young: number }> {
  const { rows } = await db.query<{ all: number; young: number }>({
    name: 'shared-bytes',
    text: `SELECT coalesce(sum(bytes), 0)::bigint AS all,
             coalesce(sum(bytes) FILTER (WHERE owner_created_on > $2::date), 0)::bigint AS young FROM shares WHERE ${isLive('$1')}`,
    values: [new Date(now).toISOString(), youngAfter(now)],
  });
  return rows[0] ?? { all: 0, young: 0 };
}

/** All shares of a service may have a quarter of its space, and those of young identities a quarter of that. */
export const shareLimits = (maxStoredBytes: number): { readonly all: number; readonly young: number } => {
  const all = Math.floor(maxStoredBytes / 4);
  return { all, young: youngLimit(all) };
};

/** Deletes the files of the shares that have ended by `now` (ms), and later the shares. */
export async function deleteEndedShares(client: ClientBase, now: number): Promise<void> {
  await client.query({
    name: 'delete-ended-shares',
    text: `DELETE FROM share_files WHERE hash IN (SELECT hash FROM shares WHERE expires_at <= $1)`,
    values: [new Date(now)],
  });
  await client.query({
    name: 'delete-old-shares',
    text: 'DELETE FROM shares WHERE expires_at < $1',
    values: [new Date(now - LISTED_MS)],
  });
}

/** After a restore: one that was stopped after the backup would be open again. */
export const END_ALL_SHARES = [
  'DELETE FROM share_files',
  'UPDATE shares SET stopped_at = now() WHERE stopped_at IS NULL AND expires_at > now()',
];
