import type { Json } from '../../protocol/canonical-json.ts';
import { type BioRecord, clientRecordIdOf, placeOf, type RecordStatus } from '../../protocol/record.ts';
import { type Instant, VERSION } from '../../protocol/recorded.ts';
import { decrypt } from '../vault/cipher.ts';
import { type RecordContent, recordRow } from './new-records.ts';

/** A record as its row has it. */
export interface RecordRow {
  readonly id: string;
  readonly owner_id: string;
  readonly ieo_id: string;
  readonly ieo_domain: string;
  readonly biomarker: string;
  readonly category: string;
  readonly collected_at: Instant;
  readonly submitted_at: Instant;
  readonly status: RecordStatus;
  readonly transaction_id: string;
  readonly seq: number;
  readonly position: number;
  readonly ciphertext: Buffer;
}

export const RECORD_COLUMNS = `r.id, r.owner_id, r.ieo_id, r.biomarker, r.category, r.collected_at, r.submitted_at, r.status,
  r.transaction_id, r.seq, r.position, r.ciphertext`;

/** @throws {Error} where the key, the row it stands in, or a single bit is another. */
export const openRecord = (key: Uint8Array, { id, ciphertext }: Pick<RecordRow, 'id' | 'ciphertext'>): RecordContent =>
  JSON.parse(decrypt(key, recordRow(id), ciphertext).toString()) as RecordContent;

/** A record as it is read: what was submitted, exactly, with what the service says of it. Protocol §8. */
export function recordView(row: RecordRow, { submitted, dataHash, supersedes }: RecordContent): BioRecord {
  const sent = submitted as Record<string, Json>;
  const { ieo_domain: _, source, ...kept } = sent;
  const clientId = clientRecordIdOf(sent);
  return {
    ...kept,
    record_id: row.id,
    beo_id: row.owner_id,
    ieo_id: row.ieo_id,
    biomarker: row.biomarker,
    category: row.category,
    level: placeOf(row.biomarker)?.level ?? '',
    value: sent.value ?? null,
    unit: String(sent.unit),
    collected_at: row.collected_at,
    submitted_at: row.submitted_at,
    ref_range: (sent.ref_range ?? null) as BioRecord['ref_range'],
    confidence: (sent.confidence ?? null) as number | null,
    source: { ...(source as object), ieo_id: row.ieo_id, ieo_domain: row.ieo_domain },
    supersedes: supersedes ?? ((sent.supersedes || null) as string | null),
    version: String(sent.version || VERSION),
    status: row.status,
    data_hash: dataHash,
    arweave_tx: row.transaction_id,
    ...(clientId === undefined || clientId === null ? {} : { client_record_id: clientId as Json }),
  };
}
