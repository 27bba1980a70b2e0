import type { ClientBase } from 'pg';
import type { Entity } from '../../protocol/entities.ts';
import type { ProtocolError } from '../../protocol/errors.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Reference } from '../../protocol/operation.ts';
import type { Instant } from '../../protocol/recorded.ts';
import type { Clock } from '../clock.ts';
import type { Statement } from '../db/statement.ts';
import { together } from '../db/together.ts';
import { loadEntities, type WorkingSet } from '../entities/stores.ts';
import type { ItemSigner } from '../ledger/ans104.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import { type Head, lockHead } from '../ledger/head.ts';
import type { NewMail } from '../mail/mail.ts';
import type { NewAccessEvent } from '../records/access-events.ts';
import { loadCorrectable, type PlacedRecords, type SupersededRecord } from '../records/new-records.ts';
import type { BoundRow } from '../records/record-binding.ts';
import { loadTotals, type RecordTotals } from '../records/record-totals.ts';
import { loadStored, type StorageLimits, type Stored, type Storing } from '../vault/stored-bytes.ts';
import type { SealedRows, Vault } from '../vault/vault.ts';
import type { Invited, Lapse, NewNonce } from './batch-rows.ts';
import type { Signed, Submission } from './submission.ts';

export interface CommitParts {
  readonly clock: Clock;
  readonly signer: ItemSigner;
  readonly vault: Vault;
  /** Refuses operations that go beyond what the operator pays for. */
  readonly budget: (head: Head) => ProtocolError | null;
  readonly storageLimits: StorageLimits;
  /** The mails that an operation brings with it; none where no mail is sent. */
  readonly notices: (submission: Submission, changes: readonly Entity[], at: Instant) => readonly NewMail[];
  readonly onUnexpected: (error: unknown) => void;
}

/** What a batch goes by. */
export interface Presumptions {
  /** Where the head is presumed to be; null where it has to be locked. */
  readonly presumed: Head | null;
  /**
   * Whether nonces, and what is to be new, are presumed not to be there: the write fails where they are. A nonce whose key is
   * charged is looked up all the same, as a used one must not be charged.
   */
  readonly presumesNew: boolean;
}

/** What a batch meets, and what is to be written of it. */
export interface Work {
  readonly head: Head;
  readonly entities: WorkingSet;
  readonly vaultKeys: Map<string, Buffer>;
  /** Nonces that are taken, with the transaction they were taken for. */
  readonly nonces: Map<string, TransactionId | null>;
  readonly newNonces: NewNonce[];
  readonly entries: ChainedEntry[];
  readonly sealed: SealedRows[];
  readonly invited: Invited[];
  readonly mails: NewMail[];
  /** Records that are corrected, as the operations before have left them. */
  readonly correctable: Map<string, BoundRow>;
  readonly records: PlacedRecords[];
  readonly superseded: SupersededRecord[];
  /** How many records holders have: as they were read, and as the operations of this batch have left them. */
  readonly sealedTotals: ReadonlyMap<string, Buffer | null>;
  readonly totals: Map<string, RecordTotals>;
  readonly accesses: NewAccessEvent[];
  /** How many bytes are in the vault, as the operations of this batch have left them, and what they add. */
  readonly stored: Stored;
  readonly storing: Storing[];
  readonly forgets: string[];
  readonly lapses: Lapse[];
  readonly erases: string[];
  readonly revocations: PendingRevocation[];
  readonly at: Instant;
}

/** A statement that ends tokens which are not loaded; how many, the database says when it runs. */
export interface PendingRevocation {
  readonly receipt: { revokedCount: number };
  readonly others: { readonly statement: Statement; count: number };
}

/** One round trip at most: the lock of the head first, unless it is presumed, then, behind it, what the batch looks at. */
export async function lookAround(
  parts: CommitParts,
  client: ClientBase,
  batch: readonly Submission[],
  { presumed, presumesNew }: Presumptions,
  meanwhile: () => void,
): Promise<Work> {
  const touched = batch.flatMap(({ references }) => references);
  const references = presumesNew ? touched.filter((reference) => !mustBeNew(reference)) : touched;
  const spent = batch.flatMap(({ signed }) => (signed && !(presumesNew && signed.charge === null) ? [signed] : []));
  const withSecrets = batch.filter(({ privateRows }) => privateRows.length > 0).map(({ ownerId }) => ownerId);
  const storing = batch.flatMap((submission) => submission.storing ?? []);
  const withRecords = batch.filter(({ records }) => records !== null).map(({ ownerId }) => ownerId);
  const corrected = batch.flatMap(({ records }) => records?.rows.flatMap(({ supersedes }) => supersedes ?? []) ?? []);
  const looked = together(client, () =>
    Promise.all([
      presumed ?? beginBehindLock(client, parts.clock),
      usedNonces(client, spent),
      loadEntities(client, references),
      withSecrets.length > 0 ? parts.vault.loadKeys(client, withSecrets) : new Map<string, Buffer>(),
      corrected.length > 0 ? loadCorrectable(client, corrected) : new Map<string, BoundRow>(),
      withRecords.length > 0 ? loadTotals(client, withRecords) : new Map<string, Buffer | null>(),
      storing.length > 0 ? loadStored(client, storing) : new Map<string, number>(),
    ]),
  );
  if (presumed === null || [spent, references, withSecrets, corrected].some(({ length }) => length > 0)) meanwhile();
  const [head, nonces, entities, vaultKeys, correctable, sealedTotals, stored] = await looked;
  // Never before what came before it: another process's clock may be a little ahead.
  const earlier = [head.acceptedAt ?? '', ...batch.map(({ assigned }) => assigned.opened_at ?? '')];
  const at = new Date(Math.max(parts.clock.now(), ...earlier.map((time) => Date.parse(time) || 0))).toISOString();
  const lists = {
    newNonces: [],
    entries: [],
    sealed: [],
    invited: [],
    mails: [],
    records: [],
    superseded: [],
    totals: new Map(),
    accesses: [],
    storing: [],
    forgets: [],
    lapses: [],
    erases: [],
    revocations: [],
  };
  return { head, entities, vaultKeys, correctable, sealedTotals, stored, nonces, at, ...lists };
}

export async function beginBehindLock(client: ClientBase, clock?: Clock): Promise<Head> {
  const [, head] = await Promise.all([client.query('BEGIN'), lockHead(client, clock)]);
  return head;
}

/** Whether an operation is refused where it is there. */
export const mustBeNew = (reference: Reference): boolean => 'isNew' in reference && reference.isNew === true;

async function usedNonces(
  client: ClientBase,
  spent: readonly Pick<Signed, 'nonceHash'>[],
): Promise<Map<string, TransactionId | null>> {
  if (spent.length === 0) return new Map();
  const { rows } = await client.query<{ hash: Buffer; transaction_id: TransactionId | null }>({
    name: 'used-nonces',
    text: 'SELECT hash, transaction_id FROM nonces WHERE hash = ANY($1::bytea[])',
    values: [spent.map(({ nonceHash }) => nonceHash)],
  });
  return new Map(rows.map(({ hash, transaction_id }) => [hash.toString('hex'), transaction_id]));
}
