import type { ClientBase, Pool } from 'pg';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { PrivateRow } from '../../protocol/operation.ts';
import type { Statement } from '../db/statement.ts';
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

/** Up to this size of its own messages, an identity can change its guardians even if other limits are reached. */
export const OWN_RESERVE_BYTES = 1_048_576;

/** Stored bytes, by `ownedBy`, `ownOf` and `storedBy`. */
export type Stored = Map<string, number>;

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

/** Loads the stored bytes that the limits of these operations need, inside the transaction. */
export async function loadStored(client: Pick<ClientBase, 'query'>, storing: readonly Storing[]): Promise<Stored> {
  const { rows } = await client.query<{ name: string; bytes: number }>({
    name: 'load-stored-bytes',
    text: `SELECT 'owned by ' || owner_id AS name, sum(bytes)::bigint AS bytes FROM stored_bytes
             WHERE owner_id = ANY($1::uuid[]) GROUP BY owner_id
           UNION ALL SELECT 'own of ' || owner_id, bytes FROM stored_bytes
             WHERE owner_id = ANY($1::uuid[]) AND by_id = owner_id
           UNION ALL SELECT 'stored by ' || by_id, bytes FROM stored_by WHERE by_id = ANY($2::uuid[])`,
    values: [storing.map(({ ownerId }) => ownerId), [...storing.map(({ byId }) => byId), ALL]],
  });
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Adds an operation's bytes; later submissions of the batch are compared with the sum. */
export function addStored(stored: Stored, { ownerId, byId, bytes }: Storing): void {
  for (const name of [ownedBy(ownerId), storedBy(byId), storedBy(ALL), ...(byId === ownerId ? [ownOf(ownerId)] : [])]) {
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
  ownerKind: 'BEO' | 'IEO',
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
  const all = isOwn && own + bytes <= OWN_RESERVE_BYTES ? bounds : [...bounds, total];
  const reached = all.find(([, limit, used]) => used + bytes > limit);
  if (!reached) return null;
  const [quota, limit, used] = reached;
  return refusal('STORAGE_LIMIT_REACHED', SENTENCES[quota], { quota, limit, used });
}

const SENTENCES = {
  BEO: 'This identity has reached its storage limit; nothing more can be added.',
  IEO: 'This institution has reached its storage limit; nothing more can be added.',
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
