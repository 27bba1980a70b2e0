import type { Pool } from 'pg';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { decodeEntry } from '../../../protocol/ledger/entry.ts';
import { keyAt, type Succession } from '../../../protocol/ledger/relayer-keys.ts';
import { commitmentOf } from '../../../protocol/records/submitted.ts';
import { canonicalJson, type Json } from '../../../protocol/signing/canonical-json.ts';
import { hexToBytes } from '../../../protocol/signing/encoding.ts';
import { parseItem, verifyItem } from '../../ledger/ans104.ts';
import type { RecordContent } from './new-records.ts';

/** A submission according to the ledger: read from an item signed by the relayer, not from columns beside it. */
export interface ProvenSubmission {
  readonly transactionId: string;
  readonly seq: number;
  readonly acceptedAt: Instant;
  readonly tokenId: string;
  readonly commitments: readonly string[];
}

type Db = Pick<Pool, 'query'>;

/** @returns the entry in the item; null if the relayer did not sign it or its id differs */
function provenEntry(succession: Succession, id: string, bytes: Buffer) {
  const item = parseItem(bytes);
  if (item.id !== id || !verifyItem(item)) return null;
  const owner = Buffer.from(item.owner).toString('hex');
  if (!succession.keys.some(({ publicKey }) => publicKey === owner)) return null;
  const entry = decodeEntry(item.data);
  return keyAt(succession, entry.seq) === owner ? entry : null;
}

const PAGE = 500;

/**
 * The entries of this epoch that added records of a holder, oldest first; skips items that the relayer did not sign.
 */
export async function* provenSubmissions(
  db: Db,
  succession: Succession,
  ownerId: string,
): AsyncGenerator<ProvenSubmission> {
  for (let after = 0; ; ) {
    const { rows }: { rows: { id: string; seq: number; item: Buffer }[] } = await db.query(
      `SELECT e.id, e.seq, e.item FROM ledger_entries e JOIN tokens t ON t.id = e.entity_id
       WHERE t.beo_id = $1 AND e.seq > $2 AND e.function = 'submitRecords' AND e.epoch = (SELECT epoch FROM ledger_head)
       ORDER BY e.seq LIMIT ${PAGE}`,
      [ownerId, after],
    );
    for (const { id, item } of rows) {
      const entry = provenEntry(succession, id, item);
      if (entry === null || !('public' in entry) || !Array.isArray(entry.public.commitments)) continue;
      const { seq, accepted_at, entity_id } = entry;
      const commitments = entry.public.commitments as string[];
      yield { transactionId: id, seq, acceptedAt: accepted_at, tokenId: entity_id, commitments };
    }
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < PAGE) return;
  }
}

/** The grantee of a consent according to the entry that granted it; null if the entry does not show it. */
export async function provenGrantee(db: Db, succession: Succession, tokenId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string; item: Buffer }>(
    `SELECT id, item FROM ledger_entries WHERE entity_id = $1 AND function = 'grantConsent' ORDER BY seq LIMIT 1`,
    [tokenId],
  );
  const entry = rows[0] ? provenEntry(succession, rows[0].id, rows[0].item) : null;
  const grantee = entry?.entity_id === tokenId ? entry.assigned?.grantee : null;
  return typeof grantee === 'string' ? grantee : null;
}

/** The commitment of a record, computed from its stored content. */
export const commitmentIn = ({ salt, submitted }: Pick<RecordContent, 'salt' | 'submitted'>): string =>
  commitmentOf(hexToBytes(salt), canonicalJson(submitted as Json));
