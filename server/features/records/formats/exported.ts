import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { Scope } from '../../../../protocol/entities/token.ts';
import type { Exported, ExportedHolder, ExportedInstitution } from '../../../../protocol/records/exported-record.ts';

/** The consent that covers an export, with its grantee. */
export interface ExportToken {
  /** `tok_` and a UUID. */
  readonly token_id: string;
  readonly scope: Scope;
  readonly granted_at: Instant;
  readonly expires_at: Instant | null;
  readonly grantee: { readonly kind: 'BEO' } | ({ readonly kind: 'IEO' } & ExportedInstitution);
}

/** Facts known before the first record is read. */
export interface ExportFacts extends ExportedHolder {
  readonly exported_at: Instant;
  readonly token: ExportToken;
  readonly record_count: number;
}

/** Writes an export in pieces; joined they are the document. Keeps institutions in memory, never records. */
export interface ExportWriter {
  begin(): string;
  record(exported: Exported): string;
  end(): string;
}
