import type { IeoView } from '../../../protocol/entities/ieo.ts';
import { csvTable } from '../../../protocol/records/csv-cell.ts';

const COLUMNS = ['domain', 'name', 'type', 'status', 'level', 'granted_at', 'expires_at', 'ieo_id'];

/** Institutions with their certification, for spreadsheets. */
export const institutionsCsv = (institutions: readonly IeoView[]): string =>
  csvTable(
    COLUMNS,
    institutions.map(({ domain, display_name, ieo_type, status, certification, ieo_id }) => [
      domain,
      display_name,
      ieo_type,
      status,
      certification.level,
      certification.granted_at,
      certification.expires_at,
      ieo_id,
    ]),
  );
