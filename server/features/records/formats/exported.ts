import type { IeoType } from '../../../../protocol/entities/ieo.ts';
import type { Instant } from '../../../../protocol/entities/recorded.ts';
import type { Scope } from '../../../../protocol/entities/token.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';

/** An institution in an export. Fields that a destroyed institution has lost are null. */
export interface ExportedInstitution {
  readonly ieo_id: string;
  readonly domain: string;
  readonly display_name: string | null;
  readonly ieo_type: IeoType;
  readonly country: string | null;
}

/**
 * The place of a record on the ledger: `commitment` is the hex SHA-256 of 32 bytes of salt followed by the canonical
 * JSON of the record as submitted, and is number `index` (from 0) of the entry `arweave_tx`. Protocol §10.
 */
export interface RecordProof {
  readonly commitment: string;
  /** 64 hex characters. */
  readonly salt: string;
  readonly index: number;
  readonly arweave_tx: string;
}

export interface Exported {
  readonly record: BioRecord;
  readonly proof: RecordProof;
  /** The record exactly as submitted, the input of the commitment. */
  readonly submitted: Json;
  readonly institution: ExportedInstitution;
  /** Whether the record that this one supersedes is in the same export. */
  readonly supersedes_exported: boolean;
}

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
export interface ExportFacts {
  readonly beo_id: string;
  readonly beo_domain: string;
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
