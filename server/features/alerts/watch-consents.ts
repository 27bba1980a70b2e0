import { setImmediate as turn } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { AlertKind } from '../../../protocol/alerts.ts';
import { DAY_MS } from '../../../protocol/days.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Vault } from '../vault/vault.ts';
import { type Alert, queueAlerts } from './alert-rows.ts';
import { type TimedUse, type Use, unusualUses } from './unusual-uses.ts';

/** What is not on the ledger: uses of consents, and their ends. Each holder is checked this often, in ms. */
const EVERY_MS = 300_000;
/** Uses are stored shortly after the time that they state. */
const LAG_MS = 120_000;
const ENDING_MS = 7 * DAY_MS;
/** How far back the usual number of records is counted. */
const USUAL_MS = 31 * DAY_MS;
const MAX_USES = 20_000;
/** Uses that are decrypted before other work of the process goes on. */
const SLICE = 200;
/** Holders of one step. */
const HOLDERS = 100;

/** Opens an event of the log of uses: see features/records. */
export type OpenUse = (key: Uint8Array, row: UseRow) => Use;

export interface UseRow {
  readonly id: string;
  readonly at: Instant;
  readonly ciphertext: Buffer;
}

interface WatchParts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly openUse: OpenUse;
  readonly onProblem: (error: unknown) => void;
}

interface Due {
  readonly owner_id: string;
  readonly watched_until: Instant;
}

/** Looks once at every holder who is due. One on whom that fails is reported, and looked at again the next time. */
export async function watchConsents(parts: WatchParts, now: number, signal: AbortSignal): Promise<void> {
  const { pool, onProblem } = parts;
  let due: readonly Due[];
  let last: Due = { owner_id: '00000000-0000-0000-0000-000000000000', watched_until: '-infinity' };
  do {
    due = await dueHolders(pool, now, last);
    for (const { owner_id: ownerId } of due) {
      if (signal.aborted) return;
      await inTransaction(pool, (client) => watchHolder(parts, client, ownerId, now)).catch(onProblem);
    }
    last = due.at(-1) ?? last;
  } while (due.length === HOLDERS);
}

/** Holders who were not looked at for a while and have an address that receives these alerts, in order, after another one. */
async function dueHolders(pool: Pool, now: number, after: Due): Promise<readonly Due[]> {
  const { rows } = await pool.query<Due>({
    name: 'watched-holders',
    text: `SELECT owner_id, watched_until FROM alert_settings s
           WHERE watched_until <= $1 AND (watched_until, owner_id) > ($2, $3)
             AND EXISTS (SELECT FROM alert_addresses a
                         WHERE a.owner_id = s.owner_id AND a.confirmed_at IS NOT NULL AND a.leaves_at IS NULL)
           ORDER BY watched_until, owner_id LIMIT $4`,
    values: [new Date(now - EVERY_MS), after.watched_until, after.owner_id, HOLDERS],
  });
  return rows;
}

/** Queues the alerts of one holder since the last look, or since there is an address. The time of the look moves in the same transaction. */
async function watchHolder(parts: WatchParts, client: ClientBase, ownerId: string, now: number): Promise<void> {
  const { rows } = await client.query<{ kinds: readonly AlertKind[]; from: Instant }>({
    name: 'hold-watched',
    text: `SELECT kinds, greatest(watched_until, (
             SELECT min(confirmed_at) FROM alert_addresses a WHERE a.owner_id = s.owner_id AND leaves_at IS NULL)) AS from
           FROM alert_settings s WHERE owner_id = $1 AND watched_until <= $2 FOR UPDATE SKIP LOCKED`,
    values: [ownerId, new Date(now - EVERY_MS)],
  });
  const [watched] = rows;
  if (!watched) return;
  const until = new Date(now - LAG_MS).toISOString();
  const { kinds, from } = watched;
  if (from < until) {
    const used = kinds.includes('CONSENT_USED') ? await uses(parts, client, ownerId, { from, until }) : [];
    const ending = kinds.includes('CONSENT_ENDING') ? await endings(client, ownerId, { from, until }) : [];
    await queueAlerts(client, [...used, ...ending], now);
  }
  await client.query({
    name: 'move-watched',
    text: 'UPDATE alert_settings SET watched_until = $2 WHERE owner_id = $1',
    values: [ownerId, until],
  });
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
  parts: WatchParts,
  client: ClientBase,
  ownerId: string,
  { from, until }: Range,
): Promise<readonly Alert[]> {
  const read = async (since: Instant, before: Instant) => {
    const { rows } = await client.query<UseRow>({
      name: 'uses-to-alert',
      text: `SELECT id, at, ciphertext FROM access_events WHERE owner_id = $1 AND at > $2 AND at <= $3
             ORDER BY at DESC, id DESC LIMIT ${MAX_USES}`,
      values: [ownerId, since, before],
    });
    return rows.toReversed();
  };
  const fresh = await read(from, until);
  if (fresh.length === 0) return [];
  const key = await parts.vault.existingKey(client, ownerId);
  if (!key) return [];
  const earlier = await read(later(from, -USUAL_MS), from);
  const found = unusualUses(await openUses(parts, key, earlier), await openUses(parts, key, fresh), ownerId);
  // Where there are more than were read, those before them count.
  const before = earlier[0]?.at ?? later(from, -USUAL_MS);
  const tokenIds = found.firstUses.map(({ tokenId }) => tokenId);
  const known = await usedBefore(parts, client, key, { ownerId, tokenIds, before });
  const firstUses = found.firstUses
    .filter(({ tokenId }) => !known.has(tokenId))
    .map(({ tokenId, at }): Alert => {
      return { kind: 'CONSENT_USED', letter: 'alertConsentUsed', ownerId, aboutId: tokenId, at };
    });
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

/** Decrypts uses. Those that are damaged are reported and left out. */
async function openUses(
  { openUse, onProblem }: Pick<WatchParts, 'openUse' | 'onProblem'>,
  key: Buffer,
  rows: readonly UseRow[],
): Promise<readonly TimedUse[]> {
  const opened: TimedUse[] = [];
  const problems: unknown[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % SLICE === SLICE - 1) await turn();
    try {
      opened.push({ ...openUse(key, row), at: row.at });
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) onProblem(problems[0]);
  return opened;
}

interface Before {
  readonly ownerId: string;
  readonly tokenIds: readonly string[];
  readonly before: Instant;
}

/** Those of the consents that the log has used by then. Only one that was given before may be. */
async function usedBefore(
  parts: WatchParts,
  client: ClientBase,
  key: Buffer,
  { ownerId, tokenIds, before }: Before,
): Promise<ReadonlySet<string>> {
  if (tokenIds.length === 0) return new Set();
  const { rows } = await client.query<UseRow>({
    name: 'earlier-uses',
    text: `SELECT id, at, ciphertext FROM access_events WHERE owner_id = $1 AND at <= $3
             AND at >= (SELECT min(granted_at) FROM tokens WHERE id = ANY($2::text[]) AND beo_id = $1)
           ORDER BY at DESC LIMIT ${MAX_USES}`,
    values: [ownerId, tokenIds, before],
  });
  const used = await openUses(parts, key, rows);
  return new Set(used.filter(({ kind }) => kind !== 'submit').map(({ token_id }) => token_id));
}
