import type { Pool } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import { available } from '../db/pool.ts';
import { hashNonce } from './submission.ts';

/**
 * Remembers the nonce of a signed request that no ledger entry follows from.
 * @throws NONCE_REUSED
 */
export async function spendNonce(pool: Pool, signer: string, nonce: string, now: number): Promise<void> {
  const { rowCount } = await available(() =>
    pool.query({
      name: 'spend-nonce',
      text: 'INSERT INTO nonces (hash, transaction_id, seen_at) VALUES ($1, NULL, $2) ON CONFLICT DO NOTHING',
      values: [hashNonce(signer, nonce), new Date(now)],
    }),
  );
  if (rowCount !== 1) throw refusal('NONCE_REUSED', undefined, { transactionId: null });
}
