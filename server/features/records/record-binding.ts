import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { RecordStatus } from '../../../protocol/records/record.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import { IntegrityFailure } from '../vault/integrity.ts';

/** The plaintext columns beside a ciphertext. They never change. */
export interface RecordLabels {
  readonly id: string;
  readonly owner_id: string;
  readonly ieo_id: string;
  readonly token_id: string;
  readonly biomarker: string;
  readonly category: string;
  readonly collected_at: Instant;
  readonly position: number;
  /** The hash of the client's own id; null if it sent none. */
  readonly client_ref: Buffer | null;
}

/** Assigned when a record is ordered, with its status, which changes once. */
export interface RecordPlace {
  readonly id: string;
  readonly submitted_at: Instant;
  readonly transaction_id: string;
  readonly seq: number;
  readonly status: RecordStatus;
  /** The seq of the entry that corrected it. */
  readonly superseded_seq: number | null;
}

/** A row of `records` with its seals. */
export interface BoundRow extends RecordLabels, RecordPlace {
  /** Null in rows written before rows were bound; see bind-records.ts. */
  readonly binding: Buffer | null;
  readonly ciphertext: Buffer;
}

/** The columns of a row `r`. */
export const RECORD_COLUMNS = `r.id, r.owner_id, r.ieo_id, r.token_id, r.biomarker, r.category, r.collected_at, r.submitted_at, r.status,
  r.superseded_seq, r.transaction_id, r.seq, r.position, r.client_ref, r.binding, r.ciphertext`;

/** The version of both encodings. Data of another version does not decrypt. */
const VERSION = 2;

/** The associated data of a record's ciphertext: a JSON array, so that no two sets of labels have one encoding. */
export const labelsAssociatedData = (labels: RecordLabels): string =>
  JSON.stringify([
    'record',
    VERSION,
    labels.id,
    labels.owner_id,
    labels.ieo_id,
    labels.token_id,
    labels.biomarker,
    labels.category,
    labels.collected_at,
    labels.position,
    labels.client_ref?.toString('hex') ?? null,
  ]);

const placeAssociatedData = ({ id, submitted_at, transaction_id, seq, status, superseded_seq }: RecordPlace): string =>
  JSON.stringify(['place of record', VERSION, id, submitted_at, transaction_id, seq, status, superseded_seq]);

const EMPTY = Buffer.alloc(0);

/** 12 bytes of nonce and 16 of tag: AES-256-GCM of an empty text with the place as associated data. */
export const BINDING_BYTES = 28;

/** Binds a record's place and status, known only once it is ordered; its ciphertext may be on the ledger already. */
export const bindPlace = (key: Uint8Array, place: RecordPlace): Buffer =>
  encrypt(key, placeAssociatedData(place), EMPTY);

/**
 * Decrypts a record after checking that no column of its row was altered.
 * @throws {IntegrityFailure}
 */
export function openBound(key: Uint8Array, row: BoundRow): Buffer {
  const name = `record ${row.id}`;
  if (row.binding === null) throw new IntegrityFailure(name);
  decrypt(key, placeAssociatedData(row), row.binding, name);
  return decrypt(key, labelsAssociatedData(row), row.ciphertext, name);
}
