import type { ClientBase, Pool } from 'pg';
import { DAY_MS } from '../../../protocol/days.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { PrivateRow } from '../../../protocol/operation.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { sealedLength } from './cipher.ts';

/** Limits on permanently stored bytes of ciphertext. */
export interface StorageLimits {
  /** Per person. */
  readonly beo: number;
  /** Per institution: its own, and the records that it submitted. */
  readonly ieo: number;
  readonly service: number;
}

/** The bytes that an operation adds permanently. */
export interface Storing {
  readonly ownerId: string;
  /** The institution that submits records; else the owner. */
  readonly byId: string;
  readonly bytes: number;
}

/** Whether the party that stores is an identity or uncertified institution younger than this: all of them share a quarter. */
const YOUNG_MS = 30 * DAY_MS;

/** The bytes that all young parties may store together. */
export const youngLimit = (serviceLimit: number): number => Math.floor(serviceLimit / 4);

/** The last day (UTC) on which parties were created that are no longer young. */
export const youngAfter = (now: number): string => new Date(now - YOUNG_MS).toISOString().slice(0, 10);

/** @param party null if this operation creates it */
export const isYoung = (party: { createdAt: string; isCertified: boolean } | null, now: number): boolean =>
  party === null || (!party.isCertified && party.createdAt.slice(0, 10) > youngAfter(now));

/**
 * Up to this size of its own messages, an identity can change its guardians even if other limits are reached; a young one only
 * within the share of young ones, or strangers could pass every limit with new identities.
 */
export const OWN_RESERVE_BYTES = 1_048_576;

/** Stored bytes, by `ownedBy`, `ownOf` and `storedBy`. */
export type Stored = Map<string, number>;

const YOUNG = 'young';
const ALL = '00000000-0000-0000-0000-000000000000';
const ownedBy = (id: string): string => `owned by ${id}`;
const ownOf = (id: string): string => `own of ${id}`;
const storedBy = (id: string): string => `stored by ${id}`;

/**
 * Messages of sealed operations are permanent. Other rows (names, links) are replaced or deleted, so their size is bounded
 * by those messages.
 */
const PERMANENT_PREFIX = 'sealed:';

export const bytesToKeep = (rows: readonly PrivateRow[]): number =>
  rows
    .filter(({ id }) => id.startsWith(PERMANENT_PREFIX))
    .reduce((sum, { content }) => sum + sealedLength(Buffer.byteLength(JSON.stringify(content))), 0);

/** The bytes that young parties stored, as a SQL expression. Few institutions are certified when they are young. */
const youngBytes = (after: string): string => `
  (SELECT coalesce(sum(bytes), 0)::bigint FROM stored_by_age WHERE created_on > ${after}::date)
  - (SELECT coalesce(sum(bytes), 0)::bigint FROM ieos JOIN stored_by ON by_id = id
     WHERE cert_level <> 'UNCERTIFIED' AND created_at >= ${after}::date + interval '1 day')`;

/** Loads the stored bytes that the limits of these operations need, inside the transaction. */
export async function loadStored(
  client: Pick<ClientBase, 'query'>,
  storing: readonly Storing[],
  now: number,
): Promise<Stored> {
  const { rows } = await client.query<{ name: string; bytes: number }>({
    name: 'load-stored-bytes',
    text: `SELECT 'owned by ' || owner_id AS name, sum(bytes)::bigint AS bytes FROM stored_bytes
             WHERE owner_id = ANY($1::uuid[]) GROUP BY owner_id
           UNION ALL SELECT 'own of ' || owner_id, bytes FROM stored_bytes
             WHERE owner_id = ANY($1::uuid[]) AND by_id = owner_id
           UNION ALL SELECT 'stored by ' || by_id, bytes FROM stored_by WHERE by_id = ANY($2::uuid[])
           UNION ALL SELECT '${YOUNG}', ${youngBytes('$3')}`,
    values: [storing.map(({ ownerId }) => ownerId), [...storing.map(({ byId }) => byId), ALL], youngAfter(now)],
  });
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Adds an operation's bytes; later submissions of the batch are compared with the sum. */
export function addStored(stored: Stored, { ownerId, byId, bytes }: Storing, young: boolean): void {
  const own = byId === ownerId ? [ownOf(ownerId)] : [];
  for (const name of [ownedBy(ownerId), storedBy(byId), storedBy(ALL), ...own, ...(young ? [YOUNG] : [])]) {
    stored.set(name, (stored.get(name) ?? 0) + bytes);
  }
}

/**
 * The refusal if an operation exceeds a limit, or null. An identity's own messages have a separate sum, so that
 * institutions cannot prevent a holder from changing guardians.
 */
export function refuseStoring(
  limits: StorageLimits,
  stored: Stored,
  { ownerId, byId, bytes }: Storing,
  { ownerKind, young }: { readonly ownerKind: 'BEO' | 'IEO'; readonly young: boolean },
): ProtocolError | null {
  const own = stored.get(ownOf(ownerId)) ?? 0;
  const isOwn = byId === ownerId;
  const bounds = isOwn
    ? ([[ownerKind, ownerKind === 'BEO' ? limits.beo : limits.ieo, own]] as const)
    : ([
        ['BEO', limits.beo, stored.get(ownedBy(ownerId)) ?? 0],
        ['IEO', limits.ieo, stored.get(storedBy(byId)) ?? 0],
      ] as const);
  const total = ['SERVICE', limits.service, stored.get(storedBy(ALL)) ?? 0] as const;
  const share = ['YOUNG', youngLimit(limits.service), stored.get(YOUNG) ?? 0] as const;
  const isExempt = isOwn && !young && own + bytes <= OWN_RESERVE_BYTES;
  const all = isExempt ? bounds : [...bounds, ...(young ? [share] : []), total];
  const reached = all.find(([, limit, used]) => used + bytes > limit);
  if (!reached) return null;
  const [quota, limit, used] = reached;
  return refusal('STORAGE_LIMIT_REACHED', SENTENCES[quota], {
    quota: quota === 'YOUNG' ? 'SERVICE' : quota,
    limit,
    used,
  });
}

const SENTENCES = {
  BEO: 'This identity has reached its storage limit; nothing more can be added.',
  IEO: 'This institution has reached its storage limit; nothing more can be added.',
  YOUNG:
    'The space for identities and uncertified institutions in their first 30 days is used up; try again later, or ask the operator to raise MAX_STORED_BYTES.',
  SERVICE: 'The service has reached its storage limit; ask the operator to raise it.',
} as const;

export const saveStored = (storing: readonly Storing[]): Statement => ({
  name: 'save-stored-bytes',
  text: `INSERT INTO stored_bytes AS kept (owner_id, by_id, bytes)
         SELECT owner_id, by_id, sum(bytes) FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS s (owner_id, by_id, bytes)
         GROUP BY 1, 2 ON CONFLICT (owner_id, by_id) DO UPDATE SET bytes = kept.bytes + EXCLUDED.bytes`,
  values: [storing.map(({ ownerId }) => ownerId), storing.map(({ byId }) => byId), storing.map(({ bytes }) => bytes)],
});

/** All permanently stored bytes. */
export async function readStoredBytes(db: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'stored-bytes',
    text: 'SELECT bytes FROM stored_by WHERE by_id = $1',
    values: [ALL],
  });
  return rows[0]?.bytes ?? 0;
}

/** The parties that store most, with their bytes: institutions, and identities by their own messages. */
export async function readLargestStored(db: Pick<Pool, 'query'>): Promise<readonly { id: string; bytes: number }[]> {
  const { rows } = await db.query<{ id: string; bytes: number }>({
    name: 'largest-stored',
    text: 'SELECT by_id AS id, bytes FROM stored_by WHERE by_id <> $1 AND bytes > 0 ORDER BY bytes DESC LIMIT 3',
    values: [ALL],
  });
  return rows;
}

/** The bytes that identities and uncertified institutions younger than 30 days stored, of the quarter that they share. */
export async function readYoungBytes(db: Pick<Pool, 'query'>, now: number): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'young-stored-bytes',
    text: `SELECT ${youngBytes('$1')} AS bytes`,
    values: [youngAfter(now)],
  });
  return rows[0]?.bytes ?? 0;
}
