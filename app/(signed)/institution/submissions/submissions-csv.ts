import { csvCell } from '../../../../protocol/records/csv-cell.ts';
import type { Submission } from './submissions.tsx';

const COLUMNS = ['accepted_at', 'reference', 'name', 'records', 'status', 'entry', 'beo_id', 'id'];

/** RFC 4180 with a byte order mark, for spreadsheets; texts that spreadsheets would execute are escaped. */
export const submissionsCsv = (submissions: readonly Submission[], references: ReadonlyMap<string, string>): string =>
  [
    COLUMNS,
    ...submissions.map(({ accepted_at, beo_id, beo_domain, records, status, seq, id }) => [
      accepted_at,
      references.get(beo_id) ?? '',
      beo_domain,
      records,
      status,
      seq,
      beo_id,
      id,
    ]),
  ]
    .map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`)
    .join('')
    .replace(/^/, '\ufeff');
