import type { SharedFile } from '../../../../../client/shares.ts';
import type { Instant } from '../../../../../protocol/entities/recorded.ts';
import type { Exported, JsonExport } from '../../../../../protocol/records/exported-record.ts';
import { shareBundle } from '../../../../../protocol/records/fhir/write/share-bundle.ts';
import type { SummaryWords } from '../../../../../protocol/records/fhir/write/summary.ts';

export interface ShareFileRequest {
  /** A JSON export, which has the proofs of the records. */
  readonly exported: Blob;
  /** The ids of records. */
  readonly chosen: ReadonlySet<string>;
  readonly at: Instant;
  /** Of a summary; null for a plain collection. */
  readonly words: SummaryWords | null;
}

/** The file of a share; null if a chosen record is not there any more, or was replaced. */
export async function shareFile({ exported, chosen, at, words }: ShareFileRequest): Promise<SharedFile | null> {
  const { records: all, institutions, ...holder }: JsonExport = JSON.parse(await exported.text());
  const known = new Map(institutions.map((institution) => [institution.ieo_id, institution]));
  const records = all.flatMap(({ proof: { submitted, ...proof }, ...record }): Exported[] => {
    const institution = known.get(record.ieo_id);
    if (!institution || record.status !== 'ACTIVE' || !chosen.has(record.record_id)) return [];
    return [{ record, proof, submitted, institution, supersedes_exported: false }];
  });
  if (records.length < chosen.size) return null;
  const content = shareBundle({ id: crypto.randomUUID(), at, holder, records }, words);
  return { contentType: 'application/fhir+json', content };
}
