import { csvTable } from '../../../../protocol/records/csv-cell.ts';
import type { Submission } from './submissions.tsx';

const COLUMNS = ['accepted_at', 'reference', 'name', 'records', 'status', 'entry', 'beo_id', 'id'];

/** For spreadsheets. */
export const submissionsCsv = (submissions: readonly Submission[], references: ReadonlyMap<string, string>): string =>
  csvTable(
    COLUMNS,
    submissions.map(({ accepted_at, beo_id, beo_domain, records, status, seq, id }) => [
      accepted_at,
      references.get(beo_id) ?? '',
      beo_domain,
      records,
      status,
      seq,
      beo_id,
      id,
    ]),
  );
