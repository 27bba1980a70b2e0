import type { Language } from '../../messages/languages.ts';
import { assignedIds, referencesOf } from '../../protocol/apply.ts';
import type { Json } from '../../protocol/canonical-json.ts';
import type { Entity } from '../../protocol/entities.ts';
import { refusal } from '../../protocol/errors.ts';
import { derivedIds } from '../../protocol/ids.ts';
import {
  readInstituteRequest,
  readSignedRequest,
  type SignedRequest,
  withMessageDigest,
} from '../../protocol/message.ts';
import type { SealedRecord, Sealing, SubjectIds, Subjects } from '../../protocol/operation.ts';
import { NO_SUCH_GUARDIAN, registeredGuardian } from '../../protocol/operations/resign-guardian.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { Approver } from '../../protocol/proposal.ts';
import { untimely } from '../../protocol/time.ts';
import { nativeDigests } from '../crypto/digests.ts';
import { available } from '../db/pool.ts';
import { clientRef, findCorrected, NOTHING_CORRECTED } from '../records/client-record-ids.ts';
import { contentBytes, newLabels, newRecordAbout } from '../records/new-records.ts';
import { encrypt } from '../vault/cipher.ts';
import { randomSlice } from '../vault/random.ts';
import { bytesToKeep } from '../vault/stored-bytes.ts';
import type { Receipt } from './decide.ts';
import type { FollowedLink, Link, Registry } from './registry.ts';
import { judgeHint, readSubjects } from './subjects.ts';
import {
  type Charge,
  draftEntry,
  hashNonce,
  invitationView,
  newEntityId,
  prepareInvitations,
  type RecordBatch,
} from './submission.ts';

/** What comes along with a request beside its body. */
export interface Circumstances {
  /** Null where the signing key is not counted. */
  readonly charge: Charge | null;
  /** For addresses that are links. */
  readonly link?: Link | null;
  /** The language to write to people in, whom the operation concerns. */
  readonly language?: Language;
  /** Of the client. */
  readonly address?: string | null;
  readonly requestId?: string;
}

export interface AcceptedAnswer {
  readonly transactionId: string;
  readonly body: Record<string, unknown>;
}

/**
 * Takes one signed operation from its parsed body to its durable place in the ledger, in the order of protocol §5: shape,
 * ledger, timestamp, entity, signature, nonce, state, effect.
 * @throws {ProtocolError} at the first thing that is wrong.
 */
export async function accept(
  registry: Registry,
  operation: AnyOperation,
  body: Json,
  circumstances: Circumstances,
): Promise<AcceptedAnswer> {
  const request = readSignedRequest(operation, body, registry);
  try {
    return await acceptRequest(registry, operation, request, circumstances);
  } catch (error) {
    throw withMessageDigest(error, request.message);
  }
}

async function acceptRequest(
  registry: Registry,
  operation: AnyOperation,
  request: SignedRequest,
  { charge, link = null, language = 'en', address = null, requestId = '' }: Circumstances,
): Promise<AcceptedAnswer> {
  const { keys } = operation.introduces(request.fields);
  const strict = registry.signatures.areStrictKeys(keys);
  // Asked already where the request itself shows the key: both questions go together.
  const shown = shownKey(operation, request);
  const signedByShown = shown === null ? null : registry.signatures.isSigned(request.message, request.signature, shown);
  if (!(await strict)) throw refusal('PUBLIC_KEY_INVALID');
  const now = registry.clock.now();
  const problem = operation.examine?.(request.fields, now) ?? untimely(request.timestamp, now);
  if (problem) throw problem;
  const followed = link && (await registry.links.follow(link));
  const subjects = await readSubjects(registry, operation, request.fields);
  await judgeHint(registry, operation, request, subjects);
  if (followed) judgeLink(followed, request, subjects);
  const { signer, signerOf } = signingKey(operation, request, subjects, followed);
  const signed = await verified(registry, operation, request, signer, signedByShown);

  const ids = derivedIds(registry.ledgerId, request.signature, nativeDigests);
  const entityId = aboutWhich(operation, subjects) ?? newEntityId(operation, ids);
  const fields = await recalled(registry, operation, request.fields, subjects, entityId);
  const sealing = operation.seal(fields, ids, subjects, () => randomSlice(32), nativeDigests);
  const records = sealing?.records ? await sealBatch(registry, sealing.records, subjects) : null;
  const known = sealing ? sealing.known : operation.known(request, nativeDigests);
  const { invitations, rows } = prepareInvitations(sealing, entityId, registry.publicUrl(), registry.links.newToken);
  const place = { operation, entityId, subjects: idsOf(subjects), known };
  const chosen = followed?.assigned ?? {};
  const assigned = { ...assignedIds(operation, place.subjects), ...chosen };
  const publicly = withCiphertexts(registry, sealing, records);
  const { draft, salt, privateRows } = draftEntry(operation, { entityId, assigned }, signer, signed, publicly);
  const ownerId = place.subjects.holder ?? entityId;
  const bytes = bytesToKeep(privateRows, records?.rows ?? []);
  const byId = (records && place.subjects.grantee) ?? ownerId;
  // Every member by its name: an object that begins with a spread is slow to take further ones.
  const receipt = await registry.committer.submit({
    operation,
    entityId,
    subjects: place.subjects,
    known,
    assigned: chosen,
    references: referencesOf(operation, { entityId, known }, subjects),
    signed: { signer, signerOf, nonceHash: hashNonce(signer, request.nonce), timestamp: request.timestamp, charge },
    draft,
    salt,
    ownerId,
    privateRows: [...privateRows, ...rows],
    invitations,
    language,
    address,
    records,
    storing: bytes > 0 ? { ownerId, byId, bytes } : null,
  });
  return answerOf(place, receipt, subjects, {
    ...(salt === null ? {} : { salt }),
    ...(records ? { request_id: requestId, ...submissionAnswer(records, receipt) } : {}),
    invitations: invitations.map((invitation) => invitationView(invitation, receipt.acceptedAt)),
  });
}

/**
 * Takes an operation of the institute, behind which one of its keys stands, to its place in the ledger. Protocol §3, §4.
 * @throws {ProtocolError} at the first thing that is wrong.
 */
export async function acceptFromInstitute(
  registry: Registry,
  operation: AnyOperation,
  body: Json,
  approver: Approver,
): Promise<AcceptedAnswer> {
  const request = readInstituteRequest(operation, body, approver);
  const subjects = await readSubjects(registry, operation, request.fields);
  const entityId = aboutWhich(operation, subjects) ?? newEntityId(operation, null);
  const known = operation.known({ ...request, signature: '' });
  const place = { operation, entityId, subjects: idsOf(subjects), known };
  const assigned = assignedIds(operation, place.subjects);
  const { draft } = draftEntry(operation, { entityId, assigned }, null, { ...request, signature: null }, null);
  const receipt = await registry.committer.submit({
    ...place,
    assigned: {},
    references: referencesOf(operation, { entityId, known }, subjects),
    signed: null,
    draft,
    salt: null,
    ownerId: entityId,
    privateRows: [],
    invitations: [],
    language: 'en',
    address: null,
    records: null,
    storing: null,
  });
  return answerOf(place, receipt, subjects, { invitations: [] });
}

interface Place {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly subjects: SubjectIds;
  readonly known: unknown;
}

function answerOf(
  { operation, entityId, subjects: ids, known }: Place,
  receipt: Receipt,
  subjects: Subjects,
  {
    invitations,
    ...more
  }: { salt?: string; invitations: ReturnType<typeof invitationView>[] } & Record<string, unknown>,
): AcceptedAnswer {
  const read = new Map(Object.values(subjects).map((entity) => [`${entity.kind}:${entity.id}`, entity]));
  return {
    transactionId: receipt.transactionId,
    body: {
      transactionId: receipt.transactionId,
      receipt: receipt.item.toString('base64'),
      ...more,
      ...operation.answer({
        entityId,
        known,
        entities: { get: (kind, id) => receipt.entities.get(kind, id) ?? (read.get(`${kind}:${id}`) as never) },
        subjects: ids,
        acceptedAt: receipt.acceptedAt,
        invitations,
        revokedCount: receipt.revokedCount,
      }),
    },
  };
}

const idsOf = (subjects: Subjects): SubjectIds =>
  Object.fromEntries(Object.entries(subjects).map(([role, { id }]) => [role, id]));

const aboutWhich = ({ about }: AnyOperation, subjects: Subjects): string | null =>
  'role' in about ? (subjects[about.role]?.id ?? null) : null;

/** A link is for one guardian of one identity, and for one invitation or request: what was signed must be that. */
function judgeLink({ beoId, fields }: FollowedLink, request: SignedRequest, subjects: Subjects): void {
  const wrong = Object.values(subjects).some(({ id }) => id !== beoId)
    ? 'beoId'
    : Object.keys(fields).find((field) => String(request.fields[field]).toLowerCase() !== fields[field]);
  if (wrong === undefined) return;
  const message = 'is not what this link is for';
  throw refusal('VALIDATION_FAILED', `The field ${wrong} ${message}.`, { issues: [{ path: wrong, message }] });
}

/** The signing key, where the request itself shows it: lower-case hex. */
const shownKey = ({ signer }: AnyOperation, { fields }: SignedRequest): string | null =>
  typeof signer === 'object' && 'field' in signer ? keyIn(fields, signer.field) : null;

const keyIn = (fields: SignedRequest['fields'], field: string): string => String(fields[field]).toLowerCase();

function signingKey(
  { signer }: AnyOperation,
  { fields }: SignedRequest,
  subjects: Subjects,
  followed: FollowedLink | null,
) {
  if (signer === 'institute') throw refusal('INTERNAL');
  if ('guardianOf' in signer) {
    const guardianKey = followed?.signer ?? keyOfGuardian(subjects[signer.guardianOf], fields[signer.idField ?? '']);
    return { signer: guardianKey, signerOf: null };
  }
  if ('field' in signer) return { signer: keyIn(fields, signer.field), signerOf: null };
  const entity = subjects[signer.role];
  if (entity?.kind !== 'BEO' && entity?.kind !== 'IEO') throw refusal('INTERNAL');
  if (entity.publicKey === null) throw refusal('INTERNAL');
  return { signer: entity.publicKey, signerOf: { kind: entity.kind, id: entity.id } as const };
}

/** The key that a guardian registered, hex. @throws NOT_FOUND */
function keyOfGuardian(holder: Entity | undefined, guardianId: Json | undefined): string {
  if (holder?.kind !== 'BEO' || typeof guardianId !== 'string') throw refusal('INTERNAL');
  const guardian = registeredGuardian(holder, guardianId.toLowerCase());
  if (!guardian) throw refusal('NOT_FOUND', NO_SUCH_GUARDIAN);
  return guardian.publicKey;
}

/**
 * The request as it was signed.
 * @throws INVALID_SIGNATURE, SIGNATURE_DOES_NOT_COVER_RECORDS
 */
async function verified(
  { countOnly, signatures }: Registry,
  operation: AnyOperation,
  request: SignedRequest,
  signer: string,
  known: Promise<boolean> | null,
): Promise<Pick<SignedRequest, 'message' | 'signature'>> {
  const isSigned = (message: SignedRequest['message']) => signatures.isSigned(message, request.signature, signer);
  if (await (known ?? isSigned(request.message))) return request;
  const lesser = operation.lesserMessage?.(request.message);
  if (lesser && (await isSigned(lesser))) {
    if (countOnly) return { message: lesser, signature: request.signature };
    throw refusal('SIGNATURE_DOES_NOT_COVER_RECORDS', undefined, { setting: 'ACCEPT_COUNT_ONLY_SUBMISSIONS' });
  }
  throw refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}

/** The fields of a request, with what it leaves out because the vault has it. */
async function recalled(
  { pool, vault }: Registry,
  { recalls }: AnyOperation,
  fields: SignedRequest['fields'],
  subjects: Subjects,
  ownerId: string,
): Promise<SignedRequest['fields']> {
  if (!recalls) return fields;
  const ids = recalls.rows(fields, subjects);
  const rows = ids.length > 0 ? await available(() => vault.readRows(pool, ownerId, ids)) : new Map<string, Json>();
  return recalls.complete(fields, subjects, rows);
}

/** Records encrypted for their holder, outside the ledger's lock. */
async function sealBatch(
  { pool, vault }: Registry,
  sealed: readonly SealedRecord[],
  subjects: Subjects,
): Promise<RecordBatch> {
  const ids = idsOf(subjects);
  const ownerId = ids.holder ?? '';
  const known = await available(() => vault.knownKey(pool, ownerId));
  // Kept only if the batch is: a request that is refused leaves no trace.
  const key = known ?? randomSlice(32);
  const { grantee } = subjects;
  const access = {
    kind: 'submit' as const,
    token_id: ids.token ?? '',
    grantee_id: ids.grantee ?? '',
    grantee_domain: grantee?.kind === 'IEO' || grantee?.kind === 'BEO' ? grantee.domain : null,
    records: sealed.length,
  };
  const corrected = known ? await available(() => findCorrected(pool, known, ids, sealed)) : NOTHING_CORRECTED;
  const rows = sealed.map((record, position) => {
    const supersedes = corrected(record.submitted);
    const clientId = clientRef(key, ids, record.submitted);
    const labels = newLabels(record, { position, supersedes, clientRef: clientId });
    const ciphertext = encrypt(key, newRecordAbout(labels, ids), contentBytes(record, supersedes));
    return { ciphertext, ...labels };
  });
  return { sealed, rows, access, freshKey: known ? null : key };
}

/** What the entry shows besides the commitments, where the operator has it so. */
function withCiphertexts(
  { ciphertextOnNetwork }: Registry,
  sealing: Sealing<unknown> | null,
  records: RecordBatch | null,
): Sealing<unknown> | null {
  if (!sealing || !records || !ciphertextOnNetwork) return sealing;
  const ciphertexts = records.rows.map(({ ciphertext }) => ciphertext.toString('base64'));
  return { ...sealing, known: { ...(sealing.known as object), ciphertexts } };
}

const submissionAnswer = ({ sealed }: RecordBatch, { transactionId, acceptedAt }: Receipt) => ({
  status: 'SUCCESS',
  record_ids: sealed.map(({ recordId }) => recordId),
  arweave_txs: sealed.map(() => transactionId),
  tx_hashes: sealed.map(() => transactionId),
  timestamp: acceptedAt,
});
