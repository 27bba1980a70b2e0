import type { ClientBase } from 'pg';
import { applyOperation } from '../../protocol/apply.ts';
import type { Entities, Entity } from '../../protocol/entities.ts';
import { isRefusal, type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { SubjectIds } from '../../protocol/operation.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { untimely } from '../../protocol/time.ts';
import type { Clock } from '../clock.ts';
import { runAsOne, type Statement } from '../db/statement.ts';
import { together } from '../db/together.ts';
import { accessRow, type NewAccessEvent, saveAccessEvents } from '../exchange/access-events.ts';
import {
  type Correctable,
  loadCorrectable,
  type PlacedRecords,
  recordRow,
  refuseRecords,
  saveRecords,
  supersedeRecords,
} from '../exchange/new-records.ts';
import type { ItemSigner } from '../ledger/ans104.ts';
import { headAfter, insertEntries, moveHead } from '../ledger/append.ts';
import { type ChainedEntry, chain, type Draft } from '../ledger/chain.ts';
import { type Head, lockHead } from '../ledger/head.ts';
import { type NewMail, saveMails } from '../mail/mail.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import type { SealedRows, Vault } from '../vault/vault.ts';
import {
  erase,
  forgetRows,
  type Invited,
  type Lapse,
  type NewNonce,
  saveInvitations,
  saveLapses,
  saveNonces,
  saveVaultKeys,
  saveVaultRows,
} from './batch-rows.ts';
import { loadEntities, saveEntities, type WorkingSet } from './stores.ts';
import type { RecordBatch, Submission } from './submission.ts';

export interface Receipt {
  readonly transactionId: TransactionId;
  readonly item: Buffer;
  readonly acceptedAt: Instant;
  readonly entities: Pick<Entities, 'get'>;
  /** How many tokens the operation has ended. */
  readonly revokedCount: number;
}

export type Verdict = Receipt | ProtocolError;

export interface CommitParts {
  readonly clock: Clock;
  readonly signer: ItemSigner;
  readonly vault: Vault;
  /** Refuses operations that go beyond what the operator pays for. */
  readonly budget: (head: Head) => ProtocolError | null;
  /** The mails that an operation brings with it; none where no mail is sent. */
  readonly notices: (submission: Submission, changes: readonly Entity[], at: Instant) => readonly NewMail[];
  readonly onUnexpected: (error: unknown) => void;
}

/** What the attempts to commit one batch have in common, by nonce: whether its key may go on. It is charged once. */
export type Charges = Map<string, Promise<ProtocolError | null>>;

export interface Committed {
  /** What came of each operation. */
  readonly verdicts: readonly Verdict[];
  /** Where the batch has found the head of the ledger, and where it has left it. */
  readonly found: Head;
  readonly left: Head;
}

/**
 * Orders operations, applies and writes them, in one transaction: behind the lock of the ledger's head, or from where the head is
 * presumed to be.
 * @throws what the database throws, a not_null_violation where the head was elsewhere; nothing was kept then.
 * @throws {StoodStill}
 */
export async function commit(
  parts: CommitParts,
  client: ClientBase,
  batch: readonly Submission[],
  { presumed, charges }: { readonly presumed: Head | null; readonly charges: Charges },
): Promise<Committed> {
  const work = await begin(parts, client, batch, presumed);
  const verdicts = await decide(parts, work, batch, charges);
  // What holds the lock and stands still is ended by the database; what holds none must notice by itself.
  if (presumed && parts.clock.now() - Date.parse(work.at) > STANDING_STILL_MS) throw new StoodStill();
  const left = headAfter(work.head, work.entries);
  await write(client, work, left, presumed === null);
  for (const { receipt, others } of work.revocations) receipt.revokedCount += others.count;
  return { verdicts, found: work.head, left };
}

/** Between looking and writing so much time has passed that the look was in vain. */
export class StoodStill extends Error {}

const STANDING_STILL_MS = 5_000;

interface Work {
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
  readonly correctable: Map<string, Correctable>;
  readonly records: PlacedRecords[];
  readonly superseded: { readonly id: string; readonly seq: number }[];
  readonly accesses: NewAccessEvent[];
  readonly forgets: string[];
  readonly lapses: Lapse[];
  readonly erases: string[];
  readonly revocations: PendingRevocation[];
  readonly at: Instant;
}

/** A statement that ends tokens which are not loaded; how many, the database says when it runs. */
interface PendingRevocation {
  readonly receipt: { revokedCount: number };
  readonly others: { readonly statement: Statement; count: number };
}

/** One round trip: the lock of the head first, unless it is presumed, then, behind it, what the batch looks at. */
async function begin(
  parts: CommitParts,
  client: ClientBase,
  batch: readonly Submission[],
  presumed: Head | null,
): Promise<Work> {
  const withSecrets = batch.filter(({ privateRows }) => privateRows.length > 0).map(({ ownerId }) => ownerId);
  const corrected = batch.flatMap(({ records }) => records?.rows.flatMap(({ supersedes }) => supersedes ?? []) ?? []);
  const [head, nonces, entities, vaultKeys, correctable] = await together(client, () =>
    Promise.all([
      presumed ?? beginBehindLock(client, parts.clock),
      usedNonces(client, batch),
      loadEntities(
        client,
        batch.flatMap(({ references }) => references),
      ),
      withSecrets.length > 0 ? parts.vault.loadKeys(client, withSecrets) : new Map<string, Buffer>(),
      corrected.length > 0 ? loadCorrectable(client, corrected) : new Map<string, Correctable>(),
    ]),
  );
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
    accesses: [],
    forgets: [],
    lapses: [],
    erases: [],
    revocations: [],
  };
  return { head, entities, vaultKeys, correctable, nonces, at, ...lists };
}

async function beginBehindLock(client: ClientBase, clock?: Clock): Promise<Head> {
  const [, head] = await Promise.all([client.query('BEGIN'), lockHead(client, clock)]);
  return head;
}

async function usedNonces(
  client: ClientBase,
  batch: readonly Submission[],
): Promise<Map<string, TransactionId | null>> {
  const { rows } = await client.query<{ hash: Buffer; transaction_id: TransactionId | null }>({
    name: 'used-nonces',
    text: 'SELECT hash, transaction_id FROM nonces WHERE hash = ANY($1::bytea[])',
    values: [batch.flatMap(({ signed }) => signed?.nonceHash ?? [])],
  });
  return new Map(rows.map(({ hash, transaction_id }) => [hash.toString('hex'), transaction_id]));
}

/** A key is charged once its nonce was looked up, as a used one must not be charged; copies of one request share their charge: it is made once, whatever becomes of the first of them. */
async function decide(
  parts: CommitParts,
  work: Work,
  batch: readonly Submission[],
  charges: Charges,
): Promise<Verdict[]> {
  const hashes = batch.map(({ signed }) => {
    if (!signed) return null;
    const hash = signed.nonceHash.toString('hex');
    if (!work.nonces.has(hash) && !charges.has(hash)) charges.set(hash, signed.charge(signed.signer));
    return hash;
  });
  const charged = await Promise.all(hashes.map((hash) => charges.get(hash ?? '') ?? null));
  return batch.map((submission, index) => {
    const { signed } = submission;
    const hash = hashes[index] ?? null;
    const verdict = attempt(parts, work, submission, hash, charged[index] ?? null);
    if (signed && hash !== null && !work.nonces.has(hash) && !canBeSentAgain(verdict)) {
      const transactionId = verdict instanceof Error ? null : verdict.transactionId;
      work.nonces.set(hash, transactionId);
      work.newNonces.push({ hash: signed.nonceHash, transactionId });
    }
    return verdict;
  });
}

/** A 503 asks for the same request again, so it must not have used up the nonce. */
const canBeSentAgain = (verdict: Verdict): boolean => isRefusal(verdict) && verdict.code === 'UNAVAILABLE';

function attempt(
  parts: CommitParts,
  work: Work,
  submission: Submission,
  hash: string | null,
  charged: ProtocolError | null,
): Verdict {
  try {
    if (hash !== null && work.nonces.has(hash))
      throw refusal('NONCE_REUSED', undefined, { transactionId: work.nonces.get(hash) ?? null });
    const problem = charged ?? late(work, submission) ?? otherKey(work.entities, submission) ?? parts.budget(work.head);
    if (problem) throw problem;
    return place(parts, work, submission);
  } catch (error) {
    if (isRefusal(error)) return error;
    parts.onUnexpected(error);
    return refusal('INTERNAL');
  }
}

/** A request may have waited, and one from before the epoch could be a replay whose nonce was lost. Protocol §1, §10. */
function late({ head, at }: Work, { signed }: Submission): ProtocolError | null {
  if (!signed) return null;
  const { timestamp } = signed;
  if (head.epochBeganAt && timestamp < Date.parse(head.epochBeganAt)) {
    return refusal('TIMESTAMP_TOO_OLD', 'The request was signed before the service was restored; sign it again.');
  }
  return untimely(timestamp, Date.parse(at));
}

/** The key may have been rotated between verification and ordering; what the old key signed is then refused. */
function otherKey(entities: Entities, { operation, signed }: Submission): ProtocolError | null {
  if (!signed?.signerOf) return null;
  const holder = entities.get(signed.signerOf.kind, signed.signerOf.id);
  if (!holder?.publicKey || holder.publicKey === signed.signer) return null;
  return refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}

function place(parts: CommitParts, work: Work, submission: Submission): Receipt {
  const { operation, entityId, subjects, known, assigned, draft, privateRows } = submission;
  const signer = submission.signed?.signer ?? null;
  const accepted = { entityId, subjects, known, assigned, signer, acceptedAt: work.at };
  const { records } = submission;
  if (records && isOvertaken(records, draft, work.vaultKeys.get(submission.ownerId))) {
    throw refusal('UNAVAILABLE', 'Another batch came first for this person; send the request again.');
  }
  if (records) refuseRecords(work.entities, subjects, records.sealed, work.correctable, work.at);
  const applied = applyOperation(operation, work.entities, accepted);
  const entry = chain(parts.signer, work.entries.at(-1) ?? work.head, draft, work.at);
  const changes: readonly Entity[] = applied.record(entry.seq, entry.id);
  for (const change of changes) work.entities.put(change);
  work.entries.push(entry);
  work.forgets.push(...applied.forgets);
  work.lapses.push(...applied.lapses.map((lapse) => ({ ...lapse, ownerId: entityId })));
  work.erases.push(...applied.erases);
  if (privateRows.length > 0) {
    const { ownerId } = submission;
    work.sealed.push(parts.vault.sealRows(work.vaultKeys, ownerId, privateRows, records?.freshKey ?? undefined));
  }
  work.invited.push(...submission.invitations.map((invitation) => ({ ...invitation, acceptedAt: work.at })));
  if (records) keepRecords(work, subjects, underKey(records, work.vaultKeys.get(submission.ownerId)), entry);
  work.mails.push(...parts.notices(submission, changes, work.at));
  const after = new Map(changes.map((change) => [`${change.kind}:${change.id}`, change]));
  const receipt = {
    transactionId: entry.id,
    item: entry.item,
    acceptedAt: work.at,
    entities: { get: (kind, id) => after.get(`${kind}:${id}`) as never },
    revokedCount: 0,
  } satisfies Receipt;
  if (applied.revokes) {
    const { count, others } = work.entities.revoke(applied.revokes, { acceptedAt: work.at, seq: entry.seq });
    receipt.revokedCount = count;
    work.revocations.push({ receipt, others: { statement: others, count: 0 } });
  }
  return receipt;
}

/** The ciphertexts that the entry shows must be those that are kept. */
const isOvertaken = ({ freshKey }: RecordBatch, draft: Draft, known: Buffer | undefined): boolean =>
  freshKey !== null && known !== undefined && 'public' in draft && draft.public.ciphertexts !== undefined;

/** Of several first batches for one person, all but one were encrypted with a key that is not kept. */
function underKey(batch: RecordBatch, key: Buffer | undefined): RecordBatch {
  const { freshKey } = batch;
  if (freshKey === null || !key || freshKey.equals(key)) return batch;
  const again = (about: string, ciphertext: Buffer) => encrypt(key, about, decrypt(freshKey, about, ciphertext));
  return {
    ...batch,
    rows: batch.rows.map((row) => ({ ...row, ciphertext: again(recordRow(row.id), row.ciphertext) })),
    access: { ...batch.access, ciphertext: again(accessRow(batch.access.id), batch.access.ciphertext) },
  };
}

function keepRecords(
  work: Work,
  subjects: SubjectIds,
  { rows, access }: RecordBatch,
  { id: transactionId, seq }: ChainedEntry,
): void {
  work.records.push({ subjects, transactionId, seq, rows });
  for (const { supersedes } of rows) {
    const corrected = supersedes === null ? undefined : work.correctable.get(supersedes);
    if (supersedes !== null && corrected) {
      work.correctable.set(supersedes, { ...corrected, status: 'SUPERSEDED' });
      work.superseded.push({ id: supersedes, seq });
    }
  }
  work.accesses.push(access);
}

/** One round trip; COMMIT behind a statement that failed would be a ROLLBACK, so every answer is looked at. */
async function write(client: ClientBase, work: Work, left: Head, isBegun: boolean): Promise<void> {
  const { revocations, forgets, erases } = work;
  const rows = rowsOf(work, left);
  const isOneStatement = revocations.length + forgets.length + erases.length === 0;
  const results = await together(client, (): Promise<PromiseSettledResult<unknown>[]> => {
    // One statement is one transaction by itself.
    if (!isBegun && isOneStatement) return Promise.allSettled([runAsOne(client, rows)]);
    return Promise.allSettled([
      isBegun ? null : beginBehindLock(client),
      ...revocations.map(({ others }) => revoke(client, others)),
      runAsOne(client, rows),
      forgets.length > 0 ? forgetRows(client, forgets) : null,
      // What an operation of this batch has written goes with the rest.
      erases.length > 0 ? erase(client, erases) : null,
      client.query('COMMIT'),
    ]);
  });
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The rows of a batch. The head comes last because PostgreSQL runs that first: who waits for the head then holds nothing yet. */
function rowsOf(work: Work, left: Head): Statement[] {
  const { newNonces, entries, sealed, invited, mails, records, superseded, accesses, lapses, at } = work;
  const keys = sealed.flatMap(({ newKey }) => newKey ?? []);
  const rows = sealed.flatMap(({ rows }) => rows);
  return [
    ...(newNonces.length > 0 ? [saveNonces(newNonces, at)] : []),
    ...(entries.length > 0 ? [insertEntries(entries)] : []),
    ...saveEntities(work.entities.changed()),
    ...(keys.length > 0 ? [saveVaultKeys(keys)] : []),
    ...(rows.length > 0 ? [saveVaultRows(rows)] : []),
    ...(invited.length > 0 ? [saveInvitations(invited)] : []),
    ...(mails.length > 0 ? [saveMails(mails)] : []),
    ...(lapses.length > 0 ? [saveLapses(lapses)] : []),
    ...(records.length > 0 ? [saveRecords(records, at)] : []),
    ...(superseded.length > 0 ? [supersedeRecords(superseded)] : []),
    ...(accesses.length > 0 ? [saveAccessEvents(accesses, at)] : []),
    // Also where it stays: a refusal, too, must be of a state that there was.
    ...(newNonces.length + entries.length > 0 ? [moveHead(work.head, left)] : []),
  ];
}

async function revoke(client: ClientBase, others: PendingRevocation['others']): Promise<void> {
  const { rowCount } = await client.query({ ...others.statement, values: [...others.statement.values] });
  others.count = rowCount ?? 0;
}
