import type { ClientBase, Pool } from 'pg';
import { refuseCancelling } from '../../../protocol/entities/cancelled-requests.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { cancelledBefore, confirmationsOf, type SocialRecovery } from '../../../protocol/entities/social-recovery.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { SignedRequest } from '../../../protocol/signing/message.ts';
import { hashNonce, trySpendNonce } from '../../entities/spend-nonce.ts';
import { STORES } from '../../entities/stores.ts';
import { available } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Charge } from '../../write/submission.ts';

interface Parts {
  readonly pool: Pool;
  readonly now: () => number;
}

interface Cancelling {
  readonly beoId: string;
  readonly requestId: string;
  readonly request: SignedRequest;
  /** The key that signed, hex. */
  readonly signer: string;
  readonly charge: Charge | null;
}

/**
 * Closes a recovery request that no guardian has confirmed. Neither the request nor its cancellation is on the ledger. The request is
 * locked, as a batch locks those that it confirms: exactly one of a cancellation and the first confirmation wins. Protocol §3.
 * @returns the time; null if a guardian has confirmed the request, or there is none: the ledger decides then
 * @throws {ProtocolError} INVALID_SIGNATURE, NONCE_REUSED, RATE_LIMITED, REQUEST_CLOSED, RECOVERY_COOLDOWN
 */
export async function cancelUnconfirmed({ pool, now }: Parts, cancelling: Cancelling): Promise<Instant | null> {
  const { charge, signer } = cancelling;
  // Before the lock, which a batch waits for: the store of the limiter may be slow.
  const isCharged = charge !== null && (await available(() => isUnconfirmed(pool, cancelling)));
  const limited = isCharged ? await charge(signer) : null;
  let outcome: Instant | ProtocolError | null = null;
  await available(() =>
    inTransaction(pool, async (client) => {
      outcome = await cancelLocked(client, cancelling, limited, now());
    }),
  );
  // Assigned in a callback, which TypeScript does not follow.
  const result = outcome as Instant | ProtocolError | null;
  if (result instanceof Error) throw result;
  return result;
}

/** Whether the current key asks to close an open request that no guardian has confirmed, with a nonce that is unused. */
async function isUnconfirmed(db: Pick<Pool, 'query'>, { beoId, requestId, request, signer }: Cancelling) {
  const { rowCount } = await db.query({
    name: 'unconfirmed-request',
    text: `SELECT FROM recovery_requests WHERE id = $1 AND beo_id = $2 AND NOT EXISTS (SELECT FROM nonces WHERE hash = $3)`,
    values: [requestId, beoId, hashNonce(signer, request.nonce)],
  });
  const beo = rowCount === 1 ? await readBeo(db, beoId) : null;
  return beo?.publicKey === signer && !isOnLedger(beo.recovery, requestId);
}

/** A refusal is returned, so that the nonce stays used and the connection can be used again. */
async function cancelLocked(
  client: ClientBase,
  { beoId, requestId, request, signer }: Cancelling,
  limited: ProtocolError | null,
  now: number,
): Promise<Instant | ProtocolError | null> {
  const found = await lockRequest(client, beoId, requestId);
  const beo = found && (await readBeo(client, beoId));
  if (!found || !beo || isOnLedger(beo.recovery, requestId)) return null;
  if (beo.publicKey !== signer) return refusal('INVALID_SIGNATURE', undefined, { expected_key: 'BEO' });
  const refused =
    (await trySpendNonce(client, signer, request, now)) ??
    limited ??
    problemOf(found, beo.recovery, await cancellationsOf(client, beoId), now);
  if (refused) return refused;
  const at = new Date(now).toISOString();
  // The search for alerts finds it like a new request.
  await client.query('UPDATE recovery_requests SET cancelled_at = $2, alerted = NULL WHERE id = $1', [requestId, at]);
  return at;
}

/** Whether a guardian has confirmed a request, or it was cancelled after that. */
const isOnLedger = (recovery: SocialRecovery, requestId: string): boolean =>
  confirmationsOf(recovery, requestId).length > 0 ||
  (recovery.cancelled ?? []).some((one) => one.requestId === requestId);

interface FoundRequest {
  readonly opened_at: Instant;
  readonly cancelled_at: Instant | null;
}

const problemOf = (
  { opened_at: openedAt, cancelled_at: cancelledAt }: FoundRequest,
  recovery: SocialRecovery,
  cancelled: readonly Instant[],
  now: number,
): ProtocolError | null =>
  cancelledAt === null ? refuseCancelling(recovery, openedAt, cancelled, now) : cancelledBefore(cancelledAt);

async function lockRequest(client: ClientBase, beoId: string, requestId: string): Promise<FoundRequest | null> {
  const { rows } = await client.query<FoundRequest>({
    name: 'hold-request',
    text: 'SELECT opened_at, cancelled_at FROM recovery_requests WHERE id = $1 AND beo_id = $2 FOR UPDATE',
    values: [requestId, beoId],
  });
  return rows[0] ?? null;
}

async function readBeo(client: Pick<Pool, 'query'>, id: string) {
  const { table, columns, fromRow } = STORES.BEO;
  const text = `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id = $1 AND status <> 'DESTROYED'`;
  const { rows } = await client.query({ name: 'beo-of-request', text, values: [id] });
  return rows.map(fromRow)[0] ?? null;
}

async function cancellationsOf(client: ClientBase, beoId: string): Promise<readonly Instant[]> {
  const { rows } = await client.query<{ cancelled_at: Instant }>({
    name: 'cancelled-requests',
    text: 'SELECT cancelled_at FROM recovery_requests WHERE beo_id = $1 AND cancelled_at IS NOT NULL',
    values: [beoId],
  });
  return rows.map(({ cancelled_at }) => cancelled_at);
}

/** When each of these requests was closed before a confirmation, by id; null if it was not. Locks them until the end of the transaction. */
export async function lockConfirmed(
  client: ClientBase,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, Instant | null>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await client.query<{ id: string; cancelled_at: Instant | null }>({
    name: 'hold-confirmed-requests',
    text: 'SELECT id, cancelled_at FROM recovery_requests WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE',
    values: [requestIds],
  });
  return new Map(rows.map(({ id, cancelled_at }) => [id, cancelled_at]));
}
