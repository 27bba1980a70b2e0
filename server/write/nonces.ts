import type { ClientBase } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Statement } from '../platform/db/statement.ts';

export interface NewNonce {
  /** See hashNonce. */
  readonly hash: Buffer;
  /** The transaction that used it; null if the request was refused. */
  readonly transactionId: TransactionId | null;
}

/** Which of these nonces are used, by hash in hex. */
export async function loadNonces(
  client: ClientBase,
  hashes: readonly Buffer[],
): Promise<Map<string, TransactionId | null>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await client.query<{ hash: Buffer; transaction_id: TransactionId | null }>({
    name: 'load-nonces',
    text: 'SELECT hash, transaction_id FROM nonces WHERE hash = ANY($1::bytea[])',
    values: [hashes],
  });
  return new Map(rows.map(({ hash, transaction_id }) => [hash.toString('hex'), transaction_id]));
}

export const saveNonces = (nonces: readonly NewNonce[], at: Instant): Statement => ({
  name: 'save-nonces',
  text: 'INSERT INTO nonces (hash, transaction_id, seen_at) SELECT hash, id, $3::timestamptz FROM unnest($1::bytea[], $2::text[]) AS n (hash, id)',
  values: [nonces.map(({ hash }) => hash), nonces.map(({ transactionId }) => transactionId), at],
});
