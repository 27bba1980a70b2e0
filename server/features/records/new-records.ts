import type { ClientBase } from 'pg';
import { isReferenceTo } from '../../../protocol/apply.ts';
import { collectedTime } from '../../../protocol/clinical/collected.ts';
import type { Entities } from '../../../protocol/entities/entities.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { includesCategory } from '../../../protocol/entities/token.ts';
import { type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { SealedRecord, SubjectIds } from '../../../protocol/operation.ts';
import { coversLevel } from '../../../protocol/records/coverage.ts';
import { classifyBiomarker, invalidRecords, type RecordIssue } from '../../../protocol/records/record.ts';
import { recordProblem } from '../../../protocol/records/record-problems.ts';
import { collectedAtOf } from '../../../protocol/records/submitted.ts';
import { requireTokenUse, type TokenUse } from '../../../protocol/records/token-use.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { byteRun } from '../../platform/db/byte-run.ts';
import type { Statement } from '../../platform/db/statement.ts';
import { BINDING_BYTES, type BoundRow, labelsAssociatedData, RECORD_COLUMNS } from './record-binding.ts';

/** A record to be stored. */
export interface NewRecord {
  readonly id: string;
  readonly biomarker: string;
  readonly category: string;
  readonly collectedAt: Instant;
  readonly position: number;
  /** The id of the record that it corrects; null if there is none. */
  readonly supersedes: string | null;
  /** See clientRef; null if the client sent no id. */
  readonly clientRef: Buffer | null;
  readonly ciphertext: Buffer;
}

export interface RecordContent {
  readonly submitted: Json;
  readonly salt: string;
  readonly dataHash: string;
  /** The id of the record that it corrects, because `submitted` may hold a client's id. Absent in older rows. */
  readonly supersedes?: string;
}

/** The plaintext of a record's ciphertext: JSON with the members in submitted order. */
export function contentBytes({ submitted, salt, dataHash }: SealedRecord, supersedes: string | null): Buffer {
  const content: RecordContent = { submitted: submitted as Json, salt, dataHash };
  return Buffer.from(JSON.stringify(supersedes === null ? content : { ...content, supersedes }));
}

type Placed = Pick<NewRecord, 'position' | 'supersedes' | 'clientRef'>;

/** The columns of a record's row, except the ciphertext. */
export function newLabels(
  { recordId, submitted }: Pick<SealedRecord, 'recordId' | 'submitted'>,
  placed: Placed,
): Omit<NewRecord, 'ciphertext'> {
  return {
    id: recordId,
    biomarker: submitted.biomarker,
    category: classifyBiomarker(submitted.biomarker)?.category ?? '',
    collectedAt: new Date(timeOf(submitted)).toISOString(),
    position: placed.position,
    supersedes: placed.supersedes,
    clientRef: placed.clientRef,
  };
}

/** The associated data of a record's ciphertext. */
export const recordAssociatedData = (record: Omit<NewRecord, 'ciphertext'>, subjects: SubjectIds): string =>
  labelsAssociatedData({
    id: record.id,
    owner_id: subjects.holder ?? '',
    ieo_id: subjects.grantee ?? '',
    token_id: subjects.token ?? '',
    biomarker: record.biomarker,
    category: record.category,
    collected_at: record.collectedAt,
    position: record.position,
    client_ref: record.clientRef,
  });

/** Milliseconds since 1970; of a day its noon in UTC. */
const timeOf = (submitted: Submitted): number => collectedTime(collectedAtOf(submitted) ?? '');

/** Loads the records that a batch corrects, by id, inside its transaction. */
export async function loadCorrectable(
  client: Pick<ClientBase, 'query'>,
  ids: readonly string[],
): Promise<Map<string, BoundRow>> {
  const { rows } = await client.query<BoundRow>({
    name: 'load-correctable',
    text: `SELECT ${RECORD_COLUMNS} FROM records r WHERE id = ANY($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Checks records against the consent, which a replay cannot do. In the order of protocol §5.
 * @throws what requireTokenUse throws; CATEGORY_NOT_AUTHORIZED, PERIOD_NOT_AUTHORIZED, RECORD_INVALID
 */
export function checkRecords(
  entities: Pick<Entities, 'get'>,
  subjects: SubjectIds,
  { sealed, rows }: { readonly sealed: readonly SealedRecord[]; readonly rows: readonly NewRecord[] },
  correctable: ReadonlyMap<string, Correctable>,
  at: Instant,
): void {
  const use = requireTokenUse(entities, subjects, 'SUBMIT_RECORD', at);
  const wrongParties = sealed.flatMap(({ submitted }, index) => wrongPartyIssues(use, submitted, index));
  if (wrongParties.length > 0) throw invalidRecords(wrongParties, sealed.length);
  for (const { submitted } of sealed) {
    const problem = scopeProblem(use, submitted);
    if (problem) throw problem;
  }
  const correctedIds = new Set<string>();
  const uncorrectable = sealed.flatMap(({ submitted }, index) => {
    if (!submitted.supersedes) return [];
    const id = rows[index]?.supersedes ?? '';
    const message = correctionProblem(correctable.get(id), use, submitted.biomarker, correctedIds.has(id));
    correctedIds.add(id);
    return message === null ? [] : [{ index, path: 'supersedes', message }];
  });
  if (uncorrectable.length > 0) throw invalidRecords(uncorrectable, sealed.length);
}

type Submitted = SealedRecord['submitted'];

/** Ids of the holder and the institution in a record must match the consent's parties. */
function wrongPartyIssues(
  { holder, grantee }: TokenUse,
  { beo_id, ieo_id, ieo_domain }: Submitted,
  index: number,
): RecordIssue[] {
  const stated = [
    ['beo_id', beo_id, holder],
    ['ieo_id', ieo_id, grantee],
    ['ieo_domain', ieo_domain, grantee],
  ] as const;
  return stated.flatMap(([path, value, entity]) =>
    value && !isReferenceTo(value, entity) ? [{ index, path, message: recordProblem('notOfConsent') }] : [],
  );
}

function scopeProblem({ token, grantee }: TokenUse, submitted: Submitted): ProtocolError | null {
  const { scope } = token;
  const place = classifyBiomarker(submitted.biomarker);
  const type = grantee.kind === 'IEO' ? grantee.ieoType : null;
  if (!place || !includesCategory(scope, place.category, type)) {
    const beyond = place?.category ?? submitted.biomarker;
    return refusal('CATEGORY_NOT_AUTHORIZED', `The consent does not cover ${beyond}.`, { category: beyond });
  }
  if (!coversLevel(scope, place.level)) {
    return refusal('CATEGORY_NOT_AUTHORIZED', `The consent does not cover the level ${place.level}.`, {
      level: place.level,
    });
  }
  if (!scope.period) return null;
  const time = timeOf(submitted);
  const { from, to } = scope.period;
  const outside = (from !== null && time < Date.parse(from)) || (to !== null && time > Date.parse(to));
  return outside ? refusal('PERIOD_NOT_AUTHORIZED', undefined, { period: scope.period }) : null;
}

type Correctable = Pick<BoundRow, 'owner_id' | 'ieo_id' | 'biomarker' | 'status'>;

function correctionProblem(
  record: Correctable | undefined,
  { holder, grantee }: TokenUse,
  biomarker: string,
  twice: boolean,
): string | null {
  if (record?.owner_id !== holder.id || record.ieo_id !== grantee.id) return recordProblem('notTheirs');
  if (record.biomarker !== biomarker) return recordProblem('ofAnother', { biomarker: record.biomarker });
  if (twice) return recordProblem('twice');
  return record.status === 'ACTIVE' ? null : recordProblem('corrected');
}

/** The records of one entry, with their bindings. */
export interface PlacedRecords {
  readonly subjects: SubjectIds;
  readonly transactionId: string;
  readonly seq: number;
  readonly rows: readonly NewRecord[];
  readonly bindings: readonly Buffer[];
}

export function saveRecords(placed: readonly PlacedRecords[], at: Instant): Statement {
  const rows = placed.flatMap(({ rows }) => rows);
  const bindings = placed.flatMap(({ bindings }) => bindings);
  const { bytes, starts, lengths } = byteRun(rows.map(({ ciphertext }) => ciphertext));
  return {
    name: 'save-records',
    text: `INSERT INTO records (id, owner_id, ieo_id, token_id, biomarker, category, collected_at, submitted_at, status,
             transaction_id, seq, position, client_ref, binding, ciphertext)
           SELECT id, owner_id, ieo_id, token_id, biomarker, category, collected_at, $6::timestamptz, 'ACTIVE',
             transaction_id, seq, position, client_ref, substring($17::bytea FROM bound FOR ${BINDING_BYTES}),
             substring($15::bytea FROM start FOR length)
           FROM unnest($1::bigint[], $2::text[], $3::uuid[], $4::uuid[], $5::text[])
               AS e (seq, transaction_id, owner_id, ieo_id, token_id)
             JOIN unnest($7::bigint[], $8::uuid[], $9::text[], $10::text[], $11::timestamptz[], $12::int[], $13::int[], $14::int[], $16::bytea[], $18::int[])
               AS r (seq, id, biomarker, category, collected_at, position, start, length, client_ref, bound) USING (seq)`,
    values: [
      placed.map(({ seq }) => seq),
      placed.map(({ transactionId }) => transactionId),
      placed.map(({ subjects }) => subjects.holder),
      placed.map(({ subjects }) => subjects.grantee),
      placed.map(({ subjects }) => subjects.token),
      at,
      placed.flatMap(({ seq, rows }) => rows.map(() => seq)),
      rows.map(({ id }) => id),
      rows.map(({ biomarker }) => biomarker),
      rows.map(({ category }) => category),
      rows.map(({ collectedAt }) => collectedAt),
      rows.map(({ position }) => position),
      starts,
      lengths,
      bytes,
      rows.map(({ clientRef }) => clientRef),
      Buffer.concat(bindings),
      bindings.map((_, index) => index * BINDING_BYTES + 1),
    ],
  };
}

/** A corrected record, with the binding of its new status. */
export interface SupersededRecord {
  readonly id: string;
  readonly seq: number;
  readonly binding: Buffer;
}

export const supersedeRecords = (records: readonly SupersededRecord[]): Statement => ({
  name: 'supersede-records',
  text: `UPDATE records SET status = 'SUPERSEDED', superseded_seq = s.seq, binding = s.binding
         FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS s (id, seq, binding) WHERE records.id = s.id`,
  values: [records.map(({ id }) => id), records.map(({ seq }) => seq), records.map(({ binding }) => binding)],
});
