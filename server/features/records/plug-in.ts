import type { Pool } from 'pg';
import { recordWarnings } from '../../../protocol/clinical/record-warnings.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { SealedRecord, SubjectIds } from '../../../protocol/operation.ts';
import { randomSlice } from '../../platform/crypto/random.ts';
import { available } from '../../platform/db/pool.ts';
import type { Batch } from '../../write/batch.ts';
import { type Placed, type PlugIn, partOf, stateOf } from '../../write/plug-in.ts';
import type { Authorized, Submission } from '../../write/submission.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import type { VaultPlugIn } from '../vault/plug-in.ts';
import type { Vault } from '../vault/vault.ts';
import { type AccessEvent, type NewAccessEvent, newAccessEvent, saveAccessEvents } from './access-events.ts';
import { clientRef, findCorrected, NOTHING_CORRECTED } from './client-record-ids.ts';
import {
  checkRecords,
  contentBytes,
  loadCorrectable,
  type NewRecord,
  newLabels,
  type PlacedRecords,
  recordAssociatedData,
  type SupersededRecord,
  saveRecords,
  supersedeRecords,
} from './new-records.ts';
import { type BoundRow, bindPlace, openBound } from './record-binding.ts';
import { addToTotals, loadTotals, openTotals, type RecordTotals, saveTotals, sealAllTotals } from './record-totals.ts';

/** The records of one submission, encrypted for their holder. */
interface NewRecords {
  readonly sealed: readonly SealedRecord[];
  readonly rows: readonly NewRecord[];
  readonly access: AccessEvent;
  /** The new data key of the rows, if the holder had none; 32 bytes. */
  readonly freshKey: Buffer | null;
}

interface State {
  /** The records that the batch corrects, as of the operations so far. */
  readonly correctable: Map<string, BoundRow>;
  /** Totals of holders: as loaded, and as of the operations so far. */
  readonly sealedTotals: ReadonlyMap<string, Buffer | null>;
  readonly totals: Map<string, RecordTotals>;
  readonly placed: PlacedRecords[];
  readonly superseded: SupersededRecord[];
  readonly accesses: NewAccessEvent[];
}

type RecordsPlugIn = PlugIn<NewRecords, State>;

interface Parts {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly vaultPlugIn: VaultPlugIn;
  /** Whether the ledger contains the ciphertexts of records besides their commitments. Protocol §7. */
  readonly ciphertextOnNetwork: boolean;
}

/** Stores the records of submitRecords: encrypted, bound to their entry, and added to the holder's sealed totals. */
export function createRecordsPlugIn(parts: Parts): RecordsPlugIn {
  const { vaultPlugIn } = parts;
  const plugIn: RecordsPlugIn = {
    async prepare(request) {
      const { sealing, subjectIds } = request;
      if (!sealing?.records) return null;
      const records = await encryptRecords(parts, request, sealing.records);
      const ciphertexts = records.rows.map(({ ciphertext }) => ciphertext);
      return {
        part: records,
        ciphertextBytes: ciphertexts.reduce((sum, { length }) => sum + length, 0),
        storedBy: subjectIds.grantee ?? '',
        freshKey: records.freshKey,
        ...(parts.ciphertextOnNetwork && {
          publicFacts: { ciphertexts: ciphertexts.map((bytes) => bytes.toString('base64')) },
        }),
      };
    },

    async load(client, submissions) {
      const withRecords = submissions.filter((submission) => partOf(plugIn, submission));
      const owners = withRecords.map(({ ownerId }) => ownerId);
      const corrected = withRecords.flatMap((submission) => correctedBy(partOf(plugIn, submission)));
      const [correctable, sealedTotals] = await Promise.all([
        corrected.length > 0 ? loadCorrectable(client, corrected) : new Map<string, BoundRow>(),
        owners.length > 0 ? loadTotals(client, owners) : new Map<string, Buffer | null>(),
      ]);
      return { correctable, sealedTotals, totals: new Map(), placed: [], superseded: [], accesses: [] };
    },

    check(batch, submission) {
      const records = partOf(plugIn, submission);
      if (!records) return;
      const key = stateOf(vaultPlugIn, batch).keys.get(submission.ownerId);
      if (isKeySuperseded(records, submission, key)) {
        throw refusal('UNAVAILABLE', 'Another submission for this person was accepted first; send the request again.');
      }
      const state = stateOf(plugIn, batch);
      checkRecords(batch.entities, submission.subjects, records, state.correctable, batch.at);
      checkIntegrity(state, submission.ownerId, records, key);
    },

    apply(batch, submission, placed) {
      const records = partOf(plugIn, submission);
      if (records) addRecords(batch, stateOf(plugIn, batch), keyOf(batch, submission), submission, records, placed);
    },

    write(batch) {
      const { placed, superseded, accesses, totals } = stateOf(plugIn, batch);
      if (placed.length === 0) return [];
      return [
        saveTotals(sealAllTotals(totals, stateOf(vaultPlugIn, batch).keys)),
        saveRecords(placed, batch.at),
        ...(superseded.length > 0 ? [supersedeRecords(superseded)] : []),
        saveAccessEvents(accesses, batch.at),
      ];
    },

    answer(submission) {
      const sealed = partOf(plugIn, submission)?.sealed ?? [];
      return {
        recordIds: sealed.map(({ recordId }) => recordId),
        warnings: recordWarnings(sealed.map(({ submitted }) => submitted)),
      };
    },
  };

  function keyOf(batch: Batch, { ownerId }: Submission): Buffer {
    const key = stateOf(vaultPlugIn, batch).keys.get(ownerId);
    if (!key) throw refusal('INTERNAL');
    return key;
  }

  return plugIn;
}

const correctedBy = (records: NewRecords | null): string[] =>
  records?.rows.flatMap(({ supersedes }) => supersedes ?? []) ?? [];

/**
 * Encrypts records for their holder, outside the transaction. A new data key is stored only if the submission is
 * accepted.
 */
async function encryptRecords(
  { pool, vault }: Parts,
  { subjects, subjectIds: ids }: Authorized,
  sealed: readonly SealedRecord[],
): Promise<NewRecords> {
  const existing = await available(() => vault.existingKey(pool, ids.holder ?? ''));
  const key = existing ?? randomSlice(32);
  const { grantee } = subjects;
  const access = {
    kind: 'submit' as const,
    token_id: ids.token ?? '',
    grantee_id: ids.grantee ?? '',
    grantee_domain: grantee?.kind === 'IEO' || grantee?.kind === 'BEO' ? grantee.domain : null,
    records: sealed.length,
  };
  const corrected = existing ? await available(() => findCorrected(pool, existing, ids, sealed)) : NOTHING_CORRECTED;
  const rows = sealed.map((record, position) => {
    const supersedes = corrected(record.submitted);
    const labels = newLabels(record, { position, supersedes, clientRef: clientRef(key, ids, record.submitted) });
    return { ...labels, ciphertext: encrypt(key, recordAssociatedData(labels, ids), contentBytes(record, supersedes)) };
  });
  return { sealed, rows, access, freshKey: existing ? null : key };
}

/**
 * Whether another batch has created the holder's data key, while this entry publishes ciphertexts under its own new
 * key.
 */
const isKeySuperseded = ({ freshKey }: NewRecords, { draft }: Submission, key: Buffer | undefined): boolean =>
  freshKey !== null && key !== undefined && 'public' in draft && draft.public.ciphertexts !== undefined;

/**
 * Checks that the data the submission builds on is unaltered: the holder's totals and the corrected records.
 * @throws {IntegrityFailure}
 */
function checkIntegrity(state: State, ownerId: string, records: NewRecords, key: Buffer | undefined): void {
  if (!key) return;
  for (const id of correctedBy(records)) {
    const corrected = state.correctable.get(id);
    if (corrected) openBound(key, corrected);
  }
  totalsOf(state, ownerId, key);
}

const totalsOf = ({ totals, sealedTotals }: State, ownerId: string, key: Buffer): RecordTotals =>
  totals.get(ownerId) ?? openTotals(key, ownerId, sealedTotals.get(ownerId) ?? null);

function addRecords(
  { at }: Batch,
  state: State,
  key: Buffer,
  { subjects, ownerId }: Submission,
  records: NewRecords,
  { entry: { id: transactionId, seq } }: Placed,
): void {
  const rows = encryptedUnder(records, subjects, key);
  const bindings = rows.map(({ id }) =>
    bindPlace(key, {
      id,
      submitted_at: at,
      transaction_id: transactionId,
      seq,
      status: 'ACTIVE',
      superseded_seq: null,
    }),
  );
  state.placed.push({ subjects, transactionId, seq, rows, bindings });
  const superseded = rows.flatMap(({ supersedes }) => state.correctable.get(supersedes ?? '') ?? []);
  for (const row of superseded) {
    const after = { ...row, status: 'SUPERSEDED' as const, superseded_seq: seq };
    const binding = bindPlace(key, after);
    state.correctable.set(row.id, { ...after, binding });
    state.superseded.push({ id: row.id, seq, binding });
  }
  state.totals.set(ownerId, addToTotals(totalsOf(state, ownerId, key), seq, rows, superseded));
  state.accesses.push(newAccessEvent(key, ownerId, records.access, at));
}

/**
 * Of several first submissions for one holder, one data key is stored; the rows of the others are encrypted again under
 * it.
 */
function encryptedUnder(
  { freshKey, sealed, rows }: NewRecords,
  subjects: SubjectIds,
  key: Buffer,
): readonly NewRecord[] {
  if (freshKey === null || freshKey.equals(key)) return rows;
  return rows.map((row) => {
    const content = decrypt(freshKey, recordAssociatedData(row, subjects), row.ciphertext, `record ${row.id}`);
    const labels = { ...row, clientRef: clientRef(key, subjects, sealed[row.position]?.submitted ?? {}) };
    return { ...labels, ciphertext: encrypt(key, recordAssociatedData(labels, subjects), content) };
  });
}
