import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { SignedRequest } from '../../protocol/signing/message.ts';
import { available } from '../platform/db/pool.ts';

/** The stored form of a nonce: per signing key, and not readable from the database. Protocol §1. */
export const hashNonce = (signer: string, nonce: string): Buffer => hash('sha256', `${signer}:${nonce}`, 'buffer');

/**
 * Stores the nonce of a signed request that creates no ledger entry. Refuses a request signed before a restore, because
 * its nonce may be lost; the epoch is read in the same statement. Protocol §1, §10.
 * @returns the refusal: NONCE_REUSED, TIMESTAMP_TOO_OLD; null if the nonce was unused
 */
export async function trySpendNonce(
  db: Pick<Pool, 'query'>,
  signer: string,
  { nonce, timestamp }: Pick<SignedRequest, 'nonce' | 'timestamp'>,
  now: number,
): Promise<ProtocolError | null> {
  const { rows } = await available(() =>
    db.query<{ began_at: Instant | null; spent: boolean }>({
      name: 'spend-nonce',
      text: `WITH head AS (SELECT epoch_began_at AS began_at FROM ledger_head),
               spent AS (INSERT INTO nonces (hash, transaction_id, seen_at)
                 SELECT $1, NULL, $2::timestamptz FROM head WHERE began_at IS NULL OR began_at <= $3::timestamptz
                 ON CONFLICT DO NOTHING RETURNING hash)
             SELECT began_at, EXISTS (SELECT FROM spent) AS spent FROM head`,
      values: [hashNonce(signer, nonce), new Date(now), new Date(timestamp)],
    }),
  );
  const [head] = rows;
  if (!head) throw refusal('INTERNAL');
  if (isBeforeEpoch(timestamp, head.began_at)) return signedBeforeEpoch();
  return head.spent ? null : refusal('NONCE_REUSED', undefined, { transactionId: null });
}

/** The same for a request that is in no transaction. @throws NONCE_REUSED, TIMESTAMP_TOO_OLD */
export async function spendNonce(...request: Parameters<typeof trySpendNonce>): Promise<void> {
  const refused = await trySpendNonce(...request);
  if (refused) throw refused;
}

/** @param timestamp of the request, ms */
export const isBeforeEpoch = (timestamp: number, beganAt: Instant | null): boolean =>
  beganAt !== null && timestamp < Date.parse(beganAt);

export const signedBeforeEpoch = () =>
  refusal('TIMESTAMP_TOO_OLD', 'The request was signed before the service was restored; sign it again.');
