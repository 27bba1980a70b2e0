import type { Pool } from 'pg';
import { malformedDomain, normalDomain } from '../../protocol/domains.ts';
import type { Beo, LedgerStatus } from '../../protocol/entities.ts';
import { refusal } from '../../protocol/errors.ts';
import { isTransactionId, isUuid } from '../../protocol/ids.ts';
import { createBatcher } from '../db/batch.ts';
import { available } from '../db/pool.ts';
import { beoFromRow } from './stores.ts';

/** A BEO in its accepted state, and how far its latest operation has got. */
export interface BeoRead {
  readonly beo: Beo;
  readonly status: LedgerStatus;
}

export interface BeoReader {
  /** @throws DOMAIN_INVALID for what cannot be a domain. */
  byDomain(domain: string): Promise<BeoRead | null>;
  /**
   * By UUID, by the id of the creating transaction, or by domain (the alias rule, protocol §2).
   * @throws VALIDATION_FAILED for what is none of them.
   */
  byReference(reference: string): Promise<BeoRead | null>;
}

const STATUS = `coalesce((SELECT CASE WHEN bundle.last_seq >= b.seq AND bundle.status <> 'PREPARED' THEN bundle.status END
  FROM bundles bundle WHERE bundle.first_seq <= b.seq ORDER BY bundle.first_seq DESC LIMIT 1), 'ACCEPTED') AS ledger_status`;

const BEO = `b.id, b.domain, b.public_key, b.key_version, b.status, b.created_at, b.updated_at, b.locked_at, b.recovery,
  b.transaction_id, b.seq, ${STATUS}`;

const QUERIES = {
  'beo-by-domain': `SELECT asked.key, ${BEO} FROM unnest($1::text[]) AS asked (key)
    JOIN names n ON n.id = asked.key AND n.holder_kind = 'BEO' JOIN beos b ON b.id = n.holder_id`,
  'beo-by-id': `SELECT asked.key, ${BEO} FROM unnest($1::text[]) AS asked (key) JOIN beos b ON b.id = asked.key::uuid`,
  'beo-by-transaction': `SELECT asked.key, ${BEO} FROM unnest($1::text[]) AS asked (key)
    JOIN ledger_entries e ON e.id = asked.key AND e.function = 'createBEO'
    JOIN beos b ON b.id = e.entity_id::uuid`,
};

export function createBeoReader(pool: Pool, suffix: string): BeoReader {
  const reader = (name: keyof typeof QUERIES) =>
    createBatcher<BeoRead>(async (keys) => {
      const { rows } = await pool.query<Record<string, unknown>>({ name, text: QUERIES[name], values: [keys] });
      return new Map(
        rows.map((row) => [row.key as string, { beo: beoFromRow(row), status: row.ledger_status as LedgerStatus }]),
      );
    });
  const readers = {
    domain: reader('beo-by-domain'),
    id: reader('beo-by-id'),
    transaction: reader('beo-by-transaction'),
  };
  const read = (kind: keyof typeof readers, key: string) => available(async () => (await readers[kind](key)) ?? null);

  async function byDomain(domain: string): Promise<BeoRead | null> {
    const problem = malformedDomain(domain, suffix);
    if (problem) throw problem;
    return read('domain', normalDomain(domain));
  }

  return {
    byDomain,
    async byReference(reference) {
      if (isUuid(reference)) return read('id', reference.toLowerCase());
      if (isTransactionId(reference)) return read('transaction', reference);
      if (malformedDomain(reference, suffix) === null) return byDomain(reference);
      throw refusal('VALIDATION_FAILED', 'The id must be a UUID, a transaction id, or a domain.', {
        issues: [{ path: 'beoId', message: 'must be a UUID, a transaction id, or a domain' }],
      });
    },
  };
}
