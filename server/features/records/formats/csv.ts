import { assessRecord } from '../../../../protocol/clinical/assess.ts';
import { csvCell, csvJsonCell } from '../../../../protocol/records/csv-cell.ts';
import type { Exported } from '../../../../protocol/records/exported-record.ts';
import { biomarkerName } from '../../../../protocol/records/taxonomy.ts';
import { canonicalJson, type Json } from '../../../../protocol/signing/canonical-json.ts';
import type { ExportWriter } from './exported.ts';

/**
 * The columns in order. Stable: new columns are added at the end, none is renamed or moved. Times are ISO 8601 in UTC;
 * `submitted` is JSON, and its canonical form with `salt` gives the `commitment`.
 */
const COLUMNS: Readonly<Record<string, (exported: Exported) => Json | undefined>> = {
  record_id: ({ record }) => record.record_id,
  biomarker: ({ record }) => record.biomarker,
  biomarker_name: ({ record }) => biomarkerName(record.biomarker),
  category: ({ record }) => record.category,
  level: ({ record }) => record.level,
  value: ({ record }) => record.value,
  unit: ({ record }) => record.unit,
  collected_at: ({ record }) => record.collected_at,
  submitted_at: ({ record }) => record.submitted_at,
  status: ({ record }) => record.status,
  supersedes: ({ record }) => record.supersedes,
  confidence: ({ record }) => record.confidence,
  ref_range: ({ record }) => record.ref_range,
  source_method: ({ record }) => record.source.method,
  source_equipment: ({ record }) => record.source.equipment,
  source_operator: ({ record }) => record.source.operator,
  source_firmware: ({ record }) => record.source.firmware,
  ieo_id: ({ record }) => record.ieo_id,
  ieo_domain: ({ institution }) => institution.domain,
  ieo_name: ({ institution }) => institution.display_name,
  ieo_type: ({ institution }) => institution.ieo_type,
  ieo_country: ({ institution }) => institution.country,
  beo_id: ({ record }) => record.beo_id,
  version: ({ record }) => record.version,
  data_hash: ({ record }) => record.data_hash,
  arweave_tx: ({ proof }) => proof.arweave_tx,
  proof_index: ({ proof }) => proof.index,
  commitment: ({ proof }) => proof.commitment,
  salt: ({ proof }) => proof.salt,
};

export const CSV_COLUMNS: readonly string[] = [
  ...Object.keys(COLUMNS),
  'submitted',
  'client_record_id',
  'interpretation',
];
const CELLS = Object.values(COLUMNS);

/** Without it Excel assumes the system's code page and shows µ as Âµ; LibreOffice reads it as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180 in UTF-8: a header row, one row per record, CRLF after each. */
export const csvWriter = (): ExportWriter => ({
  begin: () => `${BYTE_ORDER_MARK}${CSV_COLUMNS.join(',')}\r\n`,
  record: (exported) => {
    const cells = CELLS.map((cell) => csvCell(cell(exported)));
    const submitted = csvJsonCell(canonicalJson(exported.submitted));
    const { record } = exported;
    return `${cells.join(',')},${submitted},${csvCell(record.client_record_id)},${csvCell(assessRecord(record).interpretation)}\r\n`;
  },
  end: () => '',
});
