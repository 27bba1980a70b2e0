import { parseCollected } from '../../../protocol/clinical/collected.ts';
import { VERSION } from '../../../protocol/entities/recorded.ts';
import { type BioRecord, classifyBiomarker } from '../../../protocol/records/record.ts';
import { clientRecordIdOf, collectedAtOf } from '../../../protocol/records/submitted.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { RecordContent } from './new-records.ts';
import { type BoundRow, openBound } from './record-binding.ts';

/** A row with the institution's domain. */
export interface RecordRow extends BoundRow {
  readonly ieo_domain: string;
}

/** @throws {IntegrityFailure} if the key is wrong or any bit of the row was altered */
export const openRecord = (key: Uint8Array, row: BoundRow): RecordContent =>
  JSON.parse(openBound(key, row).toString()) as RecordContent;

/** A record as returned by a read: exactly what was submitted, plus the service's members. Protocol §8. */
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
    level: classifyBiomarker(row.biomarker)?.level ?? '',
    value: sent.value ?? null,
    unit: String(sent.unit),
    collected_at: parseCollected(collectedAtOf(sent) ?? '')?.day ?? row.collected_at,
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
