import type { TokenView } from '../../protocol/entities/token.ts';
import { csvTable } from '../../protocol/records/csv-cell.ts';

const COLUMNS = [
  'given_to',
  'status',
  'intents',
  'categories',
  'granted_at',
  'expires_at',
  'revoked_at',
  'ieo_id',
  'token_id',
];

/** The consents that an identity has given, for spreadsheets. */
export const givenConsentsCsv = (consents: readonly TokenView[]): string =>
  csvTable(
    COLUMNS,
    consents.map(({ ieo_domain, status, scope, granted_at, expires_at, revoked_at, ieo_id, token_id }) => [
      ieo_domain,
      status,
      scope.intents.join(' '),
      scope.categories.join(' '),
      granted_at,
      expires_at,
      revoked_at,
      ieo_id,
      token_id,
    ]),
  );
