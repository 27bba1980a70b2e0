import type { IeoType } from '../entities/ieo.ts';
import type { Json } from '../signing/canonical-json.ts';
import type { BioRecord } from './record.ts';

/** The person whose records are exported. */
export interface ExportedHolder {
  readonly beo_id: string;
  readonly beo_domain: string;
}

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

/** A record as a read returns it, with its proof and the record as submitted. */
export type RecordInJson = BioRecord & { readonly proof: RecordProof & Pick<Exported, 'submitted'> };

/** An export as JSON, without what it says of itself (its date, the consent). */
export interface JsonExport extends ExportedHolder {
  readonly records: readonly RecordInJson[];
  readonly institutions: readonly ExportedInstitution[];
}
