import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { refusal } from '../../../protocol/errors.ts';
import { withoutInvisible } from '../../../protocol/invisible.ts';
import type { shareManifest } from '../../../protocol/read-responses.ts';
import { PASSCODE_ATTEMPTS, passcodeDigest } from '../../../protocol/share-files.ts';
import { beos } from '../../entities/stores/beos.ts';
import type { Clock } from '../../platform/db/clock.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import type { Vault } from '../vault/vault.ts';
import { canBeOpened, isLive, passcodeCheck, sealRecipient, shareHash } from './share-rows.ts';

/** What a recipient of a SMART Health Link does, as HL7's specification has it. Protocol §11. */

interface Parts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly cursors: Cursors;
  readonly publicUrl: () => string;
}

/** The specification allows an hour. */
const LOCATION_MS = 10 * 60_000;
/** Files up to this length are in a manifest if its reader sets no limit. */
const EMBEDDED_LENGTH = 256 * 1024;
/** Characters of a recipient's own words that the log keeps. */
const MAX_RECIPIENT = 100;
const FILE = 'file of a share';

interface Opening {
  /** The recipient's own words. */
  readonly recipient: string;
  readonly passcode?: string | undefined;
}

/**
 * Opens a share: the files that fit are in the manifest, the others have an address for ten minutes.
 * @throws {ProtocolError} NOT_FOUND for a share that is unknown or has ended, PASSCODE_INVALID
 */
export async function readManifest(
  parts: Parts,
  id: string,
  { embeddedLengthMax = EMBEDDED_LENGTH, ...opening }: Opening & { readonly embeddedLengthMax?: number | undefined },
): Promise<z.output<typeof shareManifest>> {
  const hash = await open(parts, id, opening, null);
  const { rows } = await available(() =>
    parts.pool.query<{ place: number; content_type: FileType; created_at: string; jwe: string | null }>({
      name: 'read-share-files',
      text: `SELECT place, content_type, created_at, CASE WHEN length(jwe) <= $2 THEN jwe END AS jwe
             FROM share_files JOIN shares USING (hash) WHERE hash = $1 ORDER BY place`,
      values: [hash, Math.min(embeddedLengthMax, 2 ** 31 - 1)],
    }),
  );
  if (rows.length === 0) throw ended();
  const until = new Date(parts.clock.now() + LOCATION_MS).toISOString();
  const location = (place: number) => {
    const ticket = parts.cursors.seal(FILE, [hash.toString('base64url'), String(place), until]);
    return `${parts.publicUrl()}/api/shares/files/${ticket}`;
  };
  return {
    files: rows.map(({ place, content_type, created_at, jwe }) => ({
      contentType: content_type,
      ...(jwe === null ? { location: location(place) } : { embedded: jwe }),
      lastUpdated: created_at,
      status: 'finalized' as const,
      ...(content_type === 'application/fhir+json' && { fhirVersion: '4.0.1' as const }),
    })),
  };
}

type FileType = z.output<typeof shareManifest>['files'][number]['contentType'];

/** Opens a share of one file without a passcode: the direct request of the flag `U`. @throws {ProtocolError} NOT_FOUND */
export async function readOnlyFile(parts: Parts, id: string, recipient: string): Promise<string> {
  return fileAt(parts, await open(parts, id, { recipient }, 1), 0);
}

/** A file by the address in a manifest. @throws {ProtocolError} NOT_FOUND after ten minutes or the end of the share */
export async function readShareFile(parts: Parts, ticket: string): Promise<string> {
  const [hash = '', place = '', until = ''] = opened(parts.cursors, ticket);
  if (Date.parse(until) <= parts.clock.now()) throw ended();
  return fileAt(parts, Buffer.from(hash, 'base64url'), Number(place));
}

function opened(cursors: Cursors, ticket: string): readonly string[] {
  try {
    return cursors.open(FILE, ticket);
  } catch {
    throw ended();
  }
}

async function fileAt({ pool, clock }: Parts, hash: Buffer, place: number): Promise<string> {
  const { rows } = await available(() =>
    pool.query<{ jwe: string }>({
      name: 'read-share-file',
      text: `SELECT jwe FROM share_files JOIN shares USING (hash) JOIN ${beos.table} ON ${beos.table}.id = owner_id
             WHERE hash = $1 AND place = $2 AND ${isLive('$3')} AND status = 'ACTIVE'`,
      values: [hash, place, new Date(clock.now()).toISOString()],
    }),
  );
  if (!rows[0]) throw ended();
  return rows[0].jwe;
}

/**
 * Counts and logs an opening, or a wrong passcode. One statement does both, so that of parallel guesses no more than the attempts
 * that are left are compared, on any number of processes.
 * @param fileCount of a share that may be opened directly; null if it is opened by its manifest
 */
async function open(
  { pool, clock, vault }: Parts,
  id: string,
  { recipient, passcode }: Opening,
  fileCount: number | null,
): Promise<Buffer> {
  const hash = shareHash(id);
  const at = new Date(clock.now()).toISOString();
  const found = await available(() => findOpen(pool, hash, at, fileCount));
  const key = found && (await available(() => vault.existingKey(pool, found.owner_id)));
  if (!found || !key) throw ended();
  if (found.has_passcode && !passcode) throw wrongPasscode(PASSCODE_ATTEMPTS - found.wrong_passcodes);
  const check = found.has_passcode ? passcodeCheck(key, passcodeDigest(passcode ?? '', found.digest)) : null;
  const openingId = randomUUID();
  const words = [...withoutInvisible(recipient).trim()].slice(0, MAX_RECIPIENT).join('');
  const { rows } = await available(() =>
    pool.query<{ opened: boolean; wrong_passcodes: number }>({
      name: 'open-share',
      text: `WITH tried AS (UPDATE shares SET
                 openings = openings + CASE WHEN passcode IS NOT DISTINCT FROM $3 THEN 1 ELSE 0 END,
                 wrong_passcodes = wrong_passcodes + CASE WHEN passcode IS NOT DISTINCT FROM $3 THEN 0 ELSE 1 END
               WHERE hash = $1 AND ${canBeOpened('$2')}
               RETURNING hash, wrong_passcodes, passcode IS NOT DISTINCT FROM $3 AS opened),
             logged AS (INSERT INTO share_openings (id, hash, at, recipient)
               SELECT $4::uuid, hash, $2::timestamptz, $5::bytea FROM tried WHERE opened)
             SELECT opened, wrong_passcodes FROM tried`,
      values: [hash, at, check, openingId, sealRecipient(key, openingId, at, words)],
    }),
  );
  const [tried] = rows;
  if (!tried) throw ended();
  if (!tried.opened) throw wrongPasscode(PASSCODE_ATTEMPTS - tried.wrong_passcodes);
  return hash;
}

/** A share that can be opened now, of an identity that is not locked. */
async function findOpen(pool: Pool, hash: Buffer, at: string, fileCount: number | null) {
  const { rows } = await pool.query<{
    owner_id: string;
    digest: string;
    has_passcode: boolean;
    wrong_passcodes: number;
  }>({
    name: 'find-share',
    text: `SELECT owner_id, encode(digest, 'hex') AS digest, passcode IS NOT NULL AS has_passcode, wrong_passcodes
           FROM shares JOIN ${beos.table} ON ${beos.table}.id = owner_id
           WHERE hash = $1 AND ${canBeOpened('$2')} AND status = 'ACTIVE' AND ($3::int IS NULL
             OR passcode IS NULL AND (SELECT count(*) FROM share_files f WHERE f.hash = shares.hash) = $3)`,
    values: [hash, at, fileCount],
  });
  return rows[0] ?? null;
}

const ended = () => refusal('NOT_FOUND', 'This share does not exist or has ended. Ask for a new link.');

const wrongPasscode = (remainingAttempts: number) => refusal('PASSCODE_INVALID', undefined, { remainingAttempts });
