import type { ClientBase, Pool } from 'pg';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { PrivateRow } from '../../protocol/operation.ts';
import type { Statement } from '../db/statement.ts';
import { sealedLength } from './cipher.ts';

/** Bytes of ciphertext that may be in the vault, as far as they stay until their owner is destroyed. */
export interface StorageLimits {
  /** Of one person. */
  readonly beo: number;
  /** Of one institution: its own, and the records that it has submitted. */
  readonly ieo: number;
  readonly service: number;
}

/** What an operation adds to the vault for good. */
export interface Storing {
  readonly ownerId: string;
  /** The institution that submits records; else the owner. */
  readonly byId: string;
  readonly bytes: number;
}

/** Whatever else is full, an identity can change its guardians until its own messages are so large. */
export const OWN_RESERVE_BYTES = 1_048_576;

/** What is stored already, by `ownedBy`, `ownOf` and `storedBy`. */
export type Stored = Map<string, number>;

const ALL = '00000000-0000-0000-0000-000000000000';
const ownedBy = (id: string): string => `owned by ${id}`;
const ownOf = (id: string): string => `own of ${id}`;
const storedBy = (id: string): string => `stored by ${id}`;

/** Messages of sealed operations stay; other rows (names, links) are replaced or forgotten, and cannot be more than they. */
const STAYS = 'sealed:';

export const bytesToKeep = (rows: readonly PrivateRow[]): number =>
  rows
    .filter(({ id }) => id.startsWith(STAYS))
    .reduce((sum, { content }) => sum + sealedLength(Buffer.byteLength(JSON.stringify(content))), 0);

/** Inside the transaction: what the limits of some operations are compared with. */
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

/** Counts what an operation stores; what comes after it in the batch is compared with the sum. */
export function addStored(stored: Stored, { ownerId, byId, bytes }: Storing): void {
  for (const name of [ownedBy(ownerId), storedBy(byId), storedBy(ALL), ...(byId === ownerId ? [ownOf(ownerId)] : [])]) {
    stored.set(name, (stored.get(name) ?? 0) + bytes);
  }
}

/**
 * Why there is no room for what an operation stores, or null. An identity's own messages are compared with each other alone:
 * what institutions have stored must not keep its holder from changing the guardians.
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
  BEO: 'As much is stored for this identity as the service allows; nothing more can be added.',
  IEO: 'This institution has stored as much as the service allows; nothing more can be added.',
  SERVICE: 'The service has stored as much as its operator allows; ask the operator for more room.',
} as const;

export const saveStored = (storing: readonly Storing[]): Statement => ({
  name: 'save-stored-bytes',
  text: `INSERT INTO stored_bytes AS kept (owner_id, by_id, bytes)
         SELECT owner_id, by_id, sum(bytes) FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS s (owner_id, by_id, bytes)
         GROUP BY 1, 2 ON CONFLICT (owner_id, by_id) DO UPDATE SET bytes = kept.bytes + EXCLUDED.bytes`,
  values: [storing.map(({ ownerId }) => ownerId), storing.map(({ byId }) => byId), storing.map(({ bytes }) => bytes)],
});

/** Of all that is in the vault for good. */
export async function readStoredBytes(db: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>({
    name: 'stored-bytes',
    text: 'SELECT bytes FROM stored_by WHERE by_id = $1',
    values: [ALL],
  });
  return rows[0]?.bytes ?? 0;
}
