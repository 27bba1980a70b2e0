import type { TokenView } from '../../../../protocol/entities/token.ts';
import { csvCell } from '../../../../protocol/records/csv-cell.ts';

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

/** RFC 4180 with a byte order mark, for spreadsheets; texts that spreadsheets would execute are escaped. */
export const consentsCsv = (consents: readonly TokenView[], references: ReadonlyMap<string, string>): string =>
  [COLUMNS, ...consents.map((consent) => cellsOf(consent, references))]
    .map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`)
    .join('')
    .replace(/^/, '\ufeff');

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
