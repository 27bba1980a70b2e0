import type { TokenView } from '../../../../protocol/entities/token.ts';
import { csvTable } from '../../../../protocol/records/csv-cell.ts';

const COLUMNS = [
  'reference',
  'name',
  'status',
  'intents',
  'categories',
  'levels',
  'collected_from',
  'collected_to',
  'max_records',
  'granted_at',
  'expires_at',
  'revoked_at',
  'beo_id',
  'token_id',
];

/** For spreadsheets. */
export const consentsCsv = (consents: readonly TokenView[], references: ReadonlyMap<string, string>): string =>
  csvTable(
    COLUMNS,
    consents.map((consent) => cellsOf(consent, references)),
  );

function cellsOf(
  { token_id, beo_id, beo_domain, status, scope, granted_at, expires_at, revoked_at }: TokenView,
  references: ReadonlyMap<string, string>,
) {
  const { intents, categories, levels, period, max_records } = scope;
  return [
    references.get(beo_id) ?? '',
    beo_domain,
    status,
    intents.join(' '),
    categories.join(' '),
    levels.join(' '),
    period?.from ?? null,
    period?.to ?? null,
    max_records,
    granted_at,
    expires_at,
    revoked_at,
    beo_id,
    token_id,
  ];
}
