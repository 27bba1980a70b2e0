import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { accessEvent } from '../../../protocol/read-responses.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';

/**
 * Who used a consent, when, and on how many records: never on which ones, nor their content. Protocol §7; for the
 * holder alone.
 */

export type AccessEvent = z.output<typeof accessEvent>;

export interface NewAccessEvent {
  readonly id: string;
  readonly ownerId: string;
  readonly ciphertext: Buffer;
}

/** @param key the owner's data key. */
export function newAccessEvent(key: Uint8Array, ownerId: string, event: AccessEvent, at: Instant): NewAccessEvent {
  const id = randomUUID();
  return { id, ownerId, ciphertext: encrypt(key, eventAssociatedData({ id, at }), Buffer.from(JSON.stringify(event))) };
}

interface EventRow {
  readonly id: string;
  readonly at: Instant;
}

/** The associated data of an event: its row's id and time. */
const eventAssociatedData = ({ id, at }: EventRow): string => JSON.stringify(['access event', 2, id, at]);

/**
 * The associated data of old events, without their time. A new event never decrypts with it, so it cannot pass as old.
 */
const oldEventAssociatedData = (id: string): string => `access:${id}`;

/** @throws {IntegrityFailure} */
export function openAccessEvent(key: Uint8Array, row: EventRow & { readonly ciphertext: Buffer }): AccessEvent {
  return JSON.parse(openEither(key, row).toString()) as AccessEvent;
}

function openEither(key: Uint8Array, row: EventRow & { readonly ciphertext: Buffer }): Buffer {
  const name = `access event ${row.id}`;
  try {
    return decrypt(key, eventAssociatedData(row), row.ciphertext, name);
  } catch {
    return decrypt(key, oldEventAssociatedData(row.id), row.ciphertext, name);
  }
}

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

/** @throws BEO_DESTROYED if the identity was destroyed meanwhile */
export async function saveAccessEvent(
  db: Pick<Pool, 'query'>,
  { key, ownerId, at }: { readonly key: Uint8Array; readonly ownerId: string; readonly at: Instant },
  event: AccessEvent,
): Promise<void> {
  const { name, text, values } = saveAccessEvents([newAccessEvent(key, ownerId, event, at)], at);
  try {
    await db.query({ name, text, values: [...values] });
  } catch (error) {
    if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) throw refusal('BEO_DESTROYED');
    throw error;
  }
}
