import { hash as digestOf, randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { z } from 'zod';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { createdShare, ownShare, ownShares } from '../../../protocol/read-responses.ts';
import {
  MAX_HELD_CHARACTERS,
  MAX_HELD_SHARES,
  MAX_LIVE_SHARES,
  MAX_SHARE_CHARACTERS,
  SHARE_SECONDS,
  shareFileDigest,
  shareFileNonce,
  shareFileType,
} from '../../../protocol/share-files.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { readSignedRequest, type SignedRequest } from '../../../protocol/signing/message.ts';
import { CREATE_SHARE, LIST_SHARES, STOP_SHARE, shareFields } from '../../../protocol/signing/share-requests.ts';
import { holderOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import { beos } from '../../entities/stores/beos.ts';
import { available } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { isYoung, readStoredBytes } from '../vault/stored-bytes.ts';
import type { Vault } from '../vault/vault.ts';
import {
  canBeOpened,
  isLive,
  MAX_ENDED,
  openDetails,
  passcodeCheck,
  readSharedBytes,
  readShares,
  sealDetails,
  shareHash,
  shareLimits,
} from './share-rows.ts';

/** What a holder does with shares. All of it is signed, and none of it is on the ledger. Protocol §11. */

type Parts = SignedReadParts & {
  readonly vault: Vault;
  readonly publicUrl: () => string;
  readonly config: { readonly MAX_STORED_BYTES: number };
};

/** Serializes the creations of one holder, with the hash of the holder's id. */
const CREATION_LOCK = 7_305_038;

/**
 * Shares encrypted files. A repetition of all signed fields returns the share that the first request made, while it can be opened.
 * @throws {ProtocolError} BEO_LOCKED, SHARE_LIMIT_REACHED, STORAGE_LIMIT_REACHED
 */
export async function createShare(parts: Parts, body: Json): Promise<z.output<typeof createdShare>> {
  const files = readFiles(readSignedRequest(CREATE_SHARE, body, parts));
  const { beo, request, now, publicKey } = await signedRead(parts, CREATE_SHARE, body, holderOf(parts));
  if (beo.status === 'LOCKED') throw refusal('BEO_LOCKED', undefined, { locked_at: beo.lockedAt });
  const { pool, vault } = parts;
  const key = await available(() => vault.ensureKey(pool, beo.id));
  if (!key) throw refusal('BEO_DESTROYED');
  const fields = shareFields.parse(request.fields);
  const seconds = fields.exp - request.timestamp / 1_000;
  if (seconds < SHARE_SECONDS.min || seconds > SHARE_SECONDS.max) {
    throw wrong('exp', 'must be 15 minutes to 30 days after the timestamp');
  }
  const id = randomBytes(32).toString('base64url');
  const characters = files.reduce((sum, { jwe }) => sum + jwe.length, 0);
  const added: NewShare = {
    hash: shareHash(id),
    ownerId: beo.id,
    publicKey,
    young: isYoung({ createdAt: beo.createdAt, isCertified: false }, now),
    digest: Buffer.from(fields.fileDigests[0] ?? '', 'hex'),
    at: new Date(now).toISOString(),
    expiresAt: new Date(fields.exp * 1_000).toISOString(),
    characters,
    maxOpenings: fields.openings,
    passcode: fields.passcodeDigest === null ? null : passcodeCheck(key, fields.passcodeDigest),
    details: sealDetails(key, { id, label: fields.label, signed: signedDigest(fields) }),
    files,
    maxStoredBytes: parts.config.MAX_STORED_BYTES,
  };
  let saved = added.hash;
  let refused: ProtocolError | null = null;
  await available(() =>
    inTransaction(pool, async (client) => {
      const existing = await existingShare(client, added);
      if (existing) {
        saved = existing.hash;
        const isRepeated = existing.is_open && openDetails(key, existing).signed === signedDigest(fields);
        refused = isRepeated ? null : wrong('files.0', 'is the first file of another share; encrypt the files again');
        return;
      }
      refused = await limitReached(client, added);
      if (!refused) await saveShare(client, added);
    }),
  );
  if (refused) throw refused;
  const [share] = await available(() => readShares(pool, { key, ownerId: beo.id, now }, saved));
  if (!share) throw refusal('BEO_DESTROYED');
  return { beo_id: beo.id, share, url: `${parts.publicUrl()}/api/shares/${share.share_id}/manifest` };
}

/** The holder's shares with their openings, those of the last 30 days included, LOCKED or not. */
export async function listShares(parts: Parts, body: Json): Promise<z.output<typeof ownShares>> {
  const { beo, now } = await signedRead(parts, LIST_SHARES, body, holderOf(parts));
  const shares = await available(async () => {
    const key = await parts.vault.existingKey(parts.pool, beo.id);
    return key ? readShares(parts.pool, { key, ownerId: beo.id, now }) : [];
  });
  return { beo_id: beo.id, shares };
}

/** Ends a share and deletes its files, LOCKED or not. One that has ended stays as it is. @throws {ProtocolError} NOT_FOUND */
export async function stopShare(parts: Parts, body: Json): Promise<z.output<typeof ownShare>> {
  const { beo, request, now } = await signedRead(parts, STOP_SHARE, body, holderOf(parts));
  const hash = shareHash(String(request.fields.shareId));
  const share = await available(async () => {
    await parts.pool.query({
      name: 'stop-share',
      text: `WITH stopped AS (UPDATE shares SET stopped_at = $3::timestamptz WHERE hash = $1 AND owner_id = $2 AND ${isLive('$3')} RETURNING hash)
             DELETE FROM share_files WHERE hash IN (SELECT hash FROM stopped)`,
      values: [hash, beo.id, new Date(now).toISOString()],
    });
    const key = await parts.vault.existingKey(parts.pool, beo.id);
    return key && (await readShares(parts.pool, { key, ownerId: beo.id, now }, hash))[0];
  });
  if (!share) throw refusal('NOT_FOUND', 'This identity has no such share.');
  return { beo_id: beo.id, share };
}

interface ShareFile {
  readonly jwe: string;
  readonly type: string;
}

/** @throws {ProtocolError} VALIDATION_FAILED unless the files are those whose digests are signed */
function readFiles({ fields, hints }: SignedRequest): ShareFile[] {
  const { fileDigests } = shareFields.parse(fields);
  const files = hints.files as readonly string[] | undefined;
  if (!files) throw wrong('files', 'is required');
  if (files.length !== fileDigests.length) throw wrong('files', 'must be as many as fileDigests');
  if (files.reduce((sum, jwe) => sum + jwe.length, 0) > MAX_SHARE_CHARACTERS) {
    throw wrong('files', `must have at most ${MAX_SHARE_CHARACTERS} characters together`);
  }
  if (new Set(files.map(shareFileNonce)).size < files.length) throw wrong('files', 'must not use a nonce twice');
  return files.map((jwe, index) => {
    if (shareFileDigest(jwe) !== fileDigests[index]?.toLowerCase()) {
      throw wrong(`files.${index}`, 'does not have the signed digest');
    }
    return { jwe, type: shareFileType(jwe) ?? '' };
  });
}

const wrong = (path: string, message: string) =>
  refusal('VALIDATION_FAILED', `The field ${path} ${message}.`, { issues: [{ path, message }] });

const signedDigest = ({ passcodeDigest, fileDigests, ...others }: z.output<typeof shareFields>): string => {
  const fields = {
    ...others,
    passcodeDigest: passcodeDigest?.toLowerCase() ?? null,
    fileDigests: fileDigests.map((digest) => digest.toLowerCase()),
  };
  return digestOf('sha256', canonicalJson(fields));
};

interface NewShare {
  readonly hash: Buffer;
  readonly ownerId: string;
  readonly publicKey: string;
  /** Whether the identity is younger than 30 days. */
  readonly young: boolean;
  readonly digest: Buffer;
  readonly at: string;
  readonly expiresAt: string;
  readonly characters: number;
  readonly maxOpenings: number;
  readonly passcode: Buffer | null;
  readonly details: Buffer;
  readonly files: readonly ShareFile[];
  readonly maxStoredBytes: number;
}

interface ExistingShare {
  readonly hash: Buffer;
  readonly details: Buffer;
  readonly is_open: boolean;
}

/** The share that an earlier request with the same first file made. Locks the holder's creations until the transaction ends. */
async function existingShare(client: PoolClient, { ownerId, digest, at }: NewShare): Promise<ExistingShare | null> {
  await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CREATION_LOCK, ownerId]);
  const { rows } = await client.query<ExistingShare>(
    `SELECT hash, details, ${canBeOpened('$3')} AS is_open FROM shares WHERE owner_id = $1 AND digest = $2`,
    [ownerId, digest, at],
  );
  return rows[0] ?? null;
}

async function saveShare(client: PoolClient, added: NewShare): Promise<void> {
  const { hash, ownerId, at, files } = added;
  await client.query(
    `DELETE FROM shares WHERE hash IN
       (SELECT hash FROM shares WHERE owner_id = $1 AND NOT (${isLive('$2')}) ORDER BY created_at DESC OFFSET ${MAX_ENDED - 1})`,
    [ownerId, at],
  );
  await client.query(
    `INSERT INTO share_files (hash, place, content_type, jwe)
     SELECT $1, place - 1, content_type, jwe FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS f (content_type, jwe, place)`,
    [hash, files.map(({ type }) => type), files.map(({ jwe }) => jwe)],
  );
  // Last, because a destruction waits for the locks: on the identity, and by the foreign key on its data key.
  const { rowCount } = await client.query(
    `INSERT INTO shares (hash, owner_id, digest, created_at, expires_at, bytes, max_openings, passcode, details, owner_created_on)
     SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, (created_at AT TIME ZONE 'UTC')::date FROM (
       SELECT id, created_at FROM ${beos.table} WHERE id = $2 AND status = 'ACTIVE' AND public_key = $10 FOR SHARE) AS sharing`,
    [
      ...[hash, ownerId, added.digest, at, added.expiresAt, added.characters, added.maxOpenings],
      ...[added.passcode, added.details, added.publicKey],
    ],
  );
  if (rowCount === 0) throw refusal('UNAVAILABLE', 'The identity changed at the same moment; send the request again.');
}

/** The refusal of a share that exceeds a limit, or null. */
async function limitReached(
  client: PoolClient,
  { ownerId, at, characters, young, maxStoredBytes }: NewShare,
): Promise<ProtocolError | null> {
  const { rows } = await client.query<{ open: number; held: number; own: number }>(
    `SELECT count(*) FILTER (WHERE ${canBeOpened('$2')}) AS open, count(*) AS held, coalesce(sum(bytes), 0)::bigint AS own
     FROM shares WHERE owner_id = $1 AND ${isLive('$2')}`,
    [ownerId, at],
  );
  const { open = 0, held = 0, own = 0 } = rows[0] ?? {};
  if (open >= MAX_LIVE_SHARES) return refusal('SHARE_LIMIT_REACHED');
  if (held >= MAX_HELD_SHARES) return refusal('SHARE_LIMIT_REACHED', HELD);
  const over = (quota: 'BEO' | 'SERVICE', limit: number, used: number, sentence?: string) =>
    used + characters > limit ? refusal('STORAGE_LIMIT_REACHED', sentence, { quota, limit, used }) : null;
  const shared = await readSharedBytes(client, Date.parse(at));
  const stored = await readStoredBytes(client);
  const limits = shareLimits(maxStoredBytes);
  return (
    over('BEO', MAX_HELD_CHARACTERS, own, FULL) ??
    (young ? over('SERVICE', limits.young, shared.young, YOUNG_FULL) : null) ??
    over('SERVICE', limits.all, shared.all) ??
    over('SERVICE', maxStoredBytes, stored + shared.all)
  );
}

const HELD = `An identity has at most ${MAX_HELD_SHARES} shares before their end, used up ones included; stop one first.`;
const FULL = 'The live shares of this identity would exceed 20 MB; stop one first.';
const YOUNG_FULL =
  'The space for shares of identities in their first 30 days is used up; try again later, or ask the operator to raise MAX_STORED_BYTES.';
