import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import type { Instant } from '../../protocol/recorded.ts';
import type { Statement } from '../db/statement.ts';
import { encrypt } from '../vault/cipher.ts';

/** Who has used a consent, when, and on how many records: never on which, nor what they say. Protocol §7; for the holder alone. */
export interface AccessEvent {
  readonly kind: 'submit' | 'read' | 'export';
  readonly token_id: string;
  /** Who it was: an institution, or the holder. */
  readonly grantee_id: string;
  readonly grantee_domain: string | null;
  readonly records: number;
  /** Of an export. */
  readonly format?: string;
}

export interface NewAccessEvent {
  readonly id: string;
  readonly ownerId: string;
  readonly ciphertext: Buffer;
}

/** @param key the owner's data key. */
export function newAccessEvent(key: Uint8Array, ownerId: string, event: AccessEvent): NewAccessEvent {
  const id = randomUUID();
  return { id, ownerId, ciphertext: encrypt(key, accessRow(id), Buffer.from(JSON.stringify(event))) };
}

export const accessRow = (id: string): string => `access:${id}`;

export const saveAccessEvents = (events: readonly NewAccessEvent[], at: Instant): Statement => ({
  name: 'save-access-events',
  text: `INSERT INTO access_events (id, owner_id, at, ciphertext)
         SELECT id, owner_id, $4::timestamptz, ciphertext FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS e (id, owner_id, ciphertext)`,
  values: [
    events.map(({ id }) => id),
    events.map(({ ownerId }) => ownerId),
    events.map(({ ciphertext }) => ciphertext),
    at,
  ],
});

const FOREIGN_KEY_VIOLATION = '23503';

/** @throws BEO_DESTROYED where the identity has gone meanwhile. */
export async function saveAccessEvent(db: Pick<Pool, 'query'>, event: NewAccessEvent, at: Instant): Promise<void> {
  const { name, text, values } = saveAccessEvents([event], at);
  try {
    await db.query({ name, text, values: [...values] });
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) throw refusal('BEO_DESTROYED');
    throw error;
  }
}
