import type { ClientBase } from 'pg';
import type { AlertKind } from '../../../protocol/alerts.ts';
import { DAY_MS } from '../../../protocol/days.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { Vault } from '../vault/vault.ts';
import { type Alert, queueAlerts } from './alert-rows.ts';
import { type Use, unusualUses } from './unusual-uses.ts';

/** What is not on the ledger: uses of consents, and their ends. Each holder is checked this often, in ms. */
const EVERY_MS = 300_000;
/** Uses are stored shortly after the time that they state. */
const LAG_MS = 120_000;
const ENDING_MS = 7 * DAY_MS;
/** How far back the usual number of records is counted. */
const USUAL_MS = 31 * DAY_MS;
const MAX_USES = 20_000;
/** Holders of one step. */
const HOLDERS = 20;

/** Opens an event of the log of uses: see features/records. */
export type OpenUse = (key: Uint8Array, row: UseRow) => Use;

export interface UseRow {
  readonly id: string;
  readonly at: Instant;
  readonly ciphertext: Buffer;
}

interface WatchParts {
  readonly vault: Vault;
  readonly openUse: OpenUse;
}

interface Watched {
  readonly owner_id: string;
  readonly kinds: readonly AlertKind[];
  readonly watched_until: Instant;
}

/**
 * Queues alerts of the holders who are due. How far each was looked at moves in the same transaction.
 * @returns whether there may be more
 */
export async function watchConsents(parts: WatchParts, client: ClientBase, now: number): Promise<boolean> {
  const { rows } = await client.query<Watched>({
    name: 'hold-watched',
    text: `SELECT owner_id, kinds, watched_until FROM alert_settings WHERE watched_until <= $1
           ORDER BY watched_until LIMIT $2 FOR UPDATE SKIP LOCKED`,
    values: [new Date(now - EVERY_MS), HOLDERS],
  });
  const until = new Date(now - LAG_MS).toISOString();
  for (const watched of rows) {
    const range = { from: watched.watched_until, until };
    const alerts = [
      ...(watched.kinds.includes('CONSENT_ENDING') ? await endings(client, watched.owner_id, range) : []),
      ...(watched.kinds.includes('CONSENT_USED') ? await uses(parts, client, watched.owner_id, range) : []),
    ];
    await queueAlerts(client, alerts, now);
  }
  await client.query({
    name: 'move-watched',
    text: 'UPDATE alert_settings SET watched_until = $2 WHERE owner_id = ANY($1::uuid[])',
    values: [rows.map(({ owner_id }) => owner_id), until],
  });
  return rows.length === HOLDERS;
}

interface Range {
  readonly from: Instant;
  readonly until: Instant;
}

const later = (time: Instant, ms: number): Instant => new Date(Date.parse(time) + ms).toISOString();

/** Consents that end in seven days, unless they were given for hardly longer. */
async function endings(client: ClientBase, ownerId: string, { from, until }: Range): Promise<readonly Alert[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'endings-to-alert',
    text: `SELECT id FROM effective_tokens
           WHERE beo_id = $1 AND grantee_kind = 'IEO' AND revoked_at IS NULL
             AND expires_at > $2 AND expires_at <= $3 AND expires_at - granted_at > interval '8 days'`,
    values: [ownerId, later(from, ENDING_MS), later(until, ENDING_MS)],
  });
  const kind = 'CONSENT_ENDING';
  return rows.map(({ id }) => ({ kind, letter: 'alertConsentEnding', ownerId, aboutId: id, at: until }));
}

async function uses(
  { vault, openUse }: WatchParts,
  client: ClientBase,
  ownerId: string,
  { from, until }: Range,
): Promise<readonly Alert[]> {
  const read = (since: Instant, before: Instant) =>
    client.query<UseRow>({
      name: 'uses-to-alert',
      text: `SELECT id, at, ciphertext FROM access_events WHERE owner_id = $1 AND at > $2 AND at <= $3
             ORDER BY at DESC, id DESC LIMIT ${MAX_USES}`,
      values: [ownerId, since, before],
    });
  const { rows: fresh } = await read(from, until);
  if (fresh.length === 0) return [];
  const key = await vault.existingKey(client, ownerId);
  if (!key) return [];
  const { rows: earlier } = await read(later(from, -USUAL_MS), from);
  const opened = (rows: readonly UseRow[]) => rows.map((row) => ({ ...openUse(key, row), at: row.at })).toReversed();
  const found = unusualUses(opened(earlier), opened(fresh), ownerId);
  const firstUses: Alert[] = [];
  for (const { tokenId, at } of found.firstUses) {
    if (await wasUsedBefore(client, key, openUse, { ownerId, tokenId, before: later(from, -USUAL_MS) })) continue;
    firstUses.push({ kind: 'CONSENT_USED', letter: 'alertConsentUsed', ownerId, aboutId: tokenId, at });
  }
  const manyReads = found.manyReads.map(({ granteeId, at }): Alert => {
    return {
      kind: 'CONSENT_USED',
      letter: 'alertConsentReads',
      ownerId,
      aboutId: `${granteeId}:${at.slice(0, 10)}`,
      at,
    };
  });
  return [...firstUses, ...manyReads];
}

interface Before {
  readonly ownerId: string;
  readonly tokenId: string;
  readonly before: Instant;
}

/** Whether the log has an earlier use of a consent. Only one that was given before may have one. */
async function wasUsedBefore(
  client: ClientBase,
  key: Buffer,
  openUse: OpenUse,
  { ownerId, tokenId, before }: Before,
): Promise<boolean> {
  const { rows } = await client.query<UseRow>({
    name: 'earlier-uses',
    text: `SELECT a.id, a.at, a.ciphertext FROM tokens t JOIN access_events a ON a.owner_id = t.beo_id
             AND a.at >= t.granted_at AND a.at <= $3
           WHERE t.id = $2 AND t.beo_id = $1 AND t.granted_at < $3 ORDER BY a.at DESC LIMIT ${MAX_USES}`,
    values: [ownerId, tokenId, before],
  });
  return rows.some((row) => {
    const use = openUse(key, row);
    return use.token_id === tokenId && use.kind !== 'submit';
  });
}
