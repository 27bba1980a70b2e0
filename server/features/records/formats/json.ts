import { VERSION } from '../../../../protocol/entities/recorded.ts';
import type {
  Exported,
  ExportedHolder,
  ExportedInstitution,
  RecordInJson,
} from '../../../../protocol/records/exported-record.ts';
import type { ExportFacts, ExportWriter } from './exported.ts';

const HOW_TO_CHECK =
  'Decode `salt` from hex to 32 bytes, append the UTF-8 bytes of the RFC 8785 (JCS) canonical JSON of `submitted`, and take ' +
  'SHA-256: the result in hex is `commitment`, and the ledger entry `arweave_tx`, an operation submitRecords, holds it as ' +
  '`public.commitments[index]`.';

/** A JsonExport with one record per line. `proof` has the record as submitted, so that a submitter's own member `proof` is not lost. */
export function jsonWriter(facts: ExportFacts): ExportWriter {
  const institutions = new Map<string, ExportedInstitution>();
  let separator = '\n';
  return {
    begin() {
      const head = {
        format: 'JSON',
        version: VERSION,
        exported_at: facts.exported_at,
        beo_id: facts.beo_id,
        beo_domain: facts.beo_domain,
        token: facts.token,
        record_count: facts.record_count,
        how_to_check_a_proof: HOW_TO_CHECK,
      } satisfies ExportedHolder & Record<string, unknown>;
      return `${JSON.stringify(head).slice(0, -1)},\n"records":[`;
    },
    record({ record, proof, submitted, institution }: Exported) {
      institutions.set(institution.ieo_id, institution);
      const written: RecordInJson = { ...record, proof: { ...proof, submitted } };
      const line = `${separator}${JSON.stringify(written)}`;
      separator = ',\n';
      return line;
    },
    end: () => `\n],\n"institutions":${JSON.stringify([...institutions.values()])}}\n`,
  };
}
