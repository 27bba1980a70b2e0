import { randomUUID } from 'node:crypto';
import type { Language } from '../../messages/languages.ts';
import { assignedIds, createdEntityId, referencesOf } from '../../protocol/apply.ts';
import type { Approver } from '../../protocol/entities/proposal.ts';
import { refusal } from '../../protocol/errors.ts';
import { derivedIds } from '../../protocol/ids.ts';
import type { SubjectIds, Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import {
  readInstituteRequest,
  readSignedRequest,
  type SignedRequest,
  withMessageDigest,
} from '../../protocol/signing/message.ts';
import { hashNonce } from '../entities/spend-nonce.ts';
import { randomSlice } from '../platform/crypto/random.ts';
import { available } from '../platform/db/pool.ts';
import { authorize, type Verified } from './authorize.ts';
import type { Receipt } from './decide.ts';
import type { Contribution, PlugIn } from './plug-in.ts';
import { firstUse, hashIdempotencyKey, readFirstDecision } from './repeated-decision.ts';
import type { Link, WriteServices } from './services.ts';
import { readSubjects } from './subjects.ts';
import { type Authorized, type Charge, draftEntry, type Submission, type VerifiedRequest } from './submission.ts';

/** A request's data besides its body. */
export interface RequestOrigin {
  /** Which institute key authorizes the request; null if the request must be signed. */
  readonly approver: Approver | null;
  /** The Idempotency-Key header of a request of the institute. */
  readonly idempotencyKey?: string | undefined;
  /** Null if the route does not limit signing keys. */
  readonly charge: Charge | null;
  /** The guardian's link, for routes that have one. */
  readonly link: Link | null;
  readonly language: Language;
  /** The client's address; null if unknown. */
  readonly address: string | null;
  readonly requestId: string;
}

export interface Accepted {
  /** Null if the request needed no ledger entry. */
  readonly transactionId: string | null;
  /** The response body. Protocol §4. */
  readonly body: Record<string, unknown>;
}

/**
 * Accepts one request: parse, authorize, prepare, order and commit, respond. REST, tRPC and the institute's decisions
 * share this function. The checks run in the order of protocol §5.
 * @throws {ProtocolError} at the first problem
 */
export async function accept(
  common: WriteServices,
  operation: AnyOperation,
  body: Json,
  origin: RequestOrigin,
): Promise<Accepted> {
  const services = operation.reserved ? { ...common, ...common.reserve } : common;
  services.tracing.annotate({ 'perpetua.operation': operation.name });
  if (operation.signer === 'institute') {
    return acceptDecision(services, operation, body, origin);
  }
  const { request, prepared, alone } = await services.tracing.span(AUTHORIZE, {}, () =>
    prepareRequest(services, operation, body, origin),
  );
  if (!prepared) return { transactionId: null, body: { transactionId: null, receipt: null, ...alone } };
  try {
    return await commit(services, prepared, origin);
  } catch (error) {
    throw withMessageDigest(error, request.message);
  }
}

/** The name of the span of steps 4 to 6: parse, authorize, prepare. */
const AUTHORIZE = 'authorize';

async function prepareRequest(
  services: WriteServices,
  operation: AnyOperation,
  body: Json,
  origin: RequestOrigin,
): Promise<PreparedRequest> {
  const request = readSignedRequest(operation, body, services);
  try {
    const verified = await authorize(services, operation, request, origin.link);
    const alone = operation.mayNeedNoEntry
      ? await answerAlone(services.plugIns, { operation, request, ...verified, charge: origin.charge })
      : null;
    if (alone) return { request, prepared: null, alone };
    return { request, prepared: await prepareSigned(services, operation, request, verified, origin), alone: null };
  } catch (error) {
    throw withMessageDigest(error, request.message);
  }
}

interface PreparedRequest {
  readonly request: SignedRequest;
  /** Null if the request is answered alone. */
  readonly prepared: Prepared | null;
  readonly alone: Readonly<Record<string, unknown>> | null;
}

async function answerAlone(plugIns: readonly PlugIn[], request: VerifiedRequest) {
  for (const plugIn of plugIns) {
    const answer = (await plugIn.answerAlone?.(request)) ?? null;
    if (answer) return answer;
  }
  return null;
}

async function commit(services: WriteServices, prepared: Prepared, { requestId }: RequestOrigin): Promise<Accepted> {
  const receipt = await services.queue.submit(prepared.submission);
  return respond(services.plugIns, prepared, receipt, requestId);
}

/** A repeated request, by its idempotency key, gets the response to the first one. */
async function acceptDecision(
  services: WriteServices,
  operation: AnyOperation,
  body: Json,
  origin: RequestOrigin,
): Promise<Accepted> {
  const prepared = await services.tracing.span(AUTHORIZE, {}, () => prepareDecision(services, operation, body, origin));
  try {
    return await commit(services, prepared, origin);
  } catch (error) {
    const transactionId = firstUse(error);
    if (transactionId === null) throw error;
    const { receipt, entityId } = await readFirstDecision(services, prepared.submission, transactionId);
    const submission = { ...prepared.submission, entityId };
    return respond(services.plugIns, { ...prepared, submission }, receipt, origin.requestId);
  }
}

interface Prepared {
  readonly submission: Submission;
  readonly subjects: Subjects;
  /** Hex; null if the entry is not sealed. */
  readonly salt: string | null;
}

async function prepareSigned(
  services: WriteServices,
  operation: AnyOperation,
  request: SignedRequest,
  { subjects, link, signer, message }: Verified,
  { charge, language, address }: RequestOrigin,
): Promise<Prepared> {
  const { nonce, timestamp, signature } = request;
  const ids = derivedIds(services.ledgerId, signature);
  const entityId = entityOf(operation, subjects) ?? createdEntityId(operation, ids);
  const fields = await withStoredFields(services, operation, request.fields, subjects, entityId);
  const sealing = operation.sealed?.seal(fields, ids, subjects, () => randomSlice(32)) ?? null;
  const publicFacts = sealing ? sealing.publicFacts : operation.publicFacts(request);
  const subjectIds = idsOf(subjects);
  const authorized = {
    operation,
    entityId,
    subjects,
    subjectIds,
    publicFacts,
    sealing,
    hints: request.hints,
    language,
    address,
  };
  const contributions = await contributionsOf(services.plugIns, authorized);
  const fromLink = link?.assigned ?? {};
  const { draft, salt, privateRows } = draftEntry(operation, {
    entityId,
    assigned: { ...assignedIds(operation, subjectIds), ...fromLink },
    signer,
    message,
    signature,
    sealing,
    morePublicFacts: Object.assign({}, ...contributions.map(([, { publicFacts: more }]) => more)),
  });
  const contributed = contributions.map(([, contribution]) => contribution);
  const submission = submissionOf(authorized, contributed, {
    assigned: fromLink,
    signed: { signer, timestamp, charge },
    nonceHash: hashNonce(signer, nonce),
    draft,
    notBefore: link?.notBefore ?? null,
    privateRows: [...privateRows, ...contributed.flatMap(({ privateRows: rows = [] }) => rows)],
    parts: new Map(contributions.map(([plugIn, { part }]) => [plugIn, part])),
  });
  return { submission, subjects, salt };
}

/** A decision of the institute is not signed. Its entry names the institute key that authorized it. Protocol §3, §4. */
async function prepareDecision(
  services: WriteServices,
  operation: AnyOperation,
  body: Json,
  { approver, idempotencyKey, language, address }: RequestOrigin,
): Promise<Prepared> {
  if (approver === null) throw refusal('INTERNAL');
  const request = readInstituteRequest(operation, body, approver);
  const subjects = await readSubjects(services, operation, request.fields);
  const subjectIds = idsOf(subjects);
  const entityId = entityOf(operation, subjects) ?? randomUUID();
  const publicFacts = operation.publicFacts({ ...request, signature: '' });
  const { draft, salt } = draftEntry(operation, {
    entityId,
    assigned: assignedIds(operation, subjectIds),
    signer: null,
    message: request.message,
    signature: null,
    sealing: null,
    morePublicFacts: {},
  });
  const authorized = {
    operation,
    entityId,
    subjects,
    subjectIds,
    publicFacts,
    sealing: null,
    hints: {},
    language,
    address,
  };
  const nonceHash = idempotencyKey === undefined ? null : hashIdempotencyKey(approver, idempotencyKey);
  const unsigned = { assigned: {}, signed: null, notBefore: null, privateRows: [], parts: new Map() };
  return { submission: submissionOf(authorized, [], { ...unsigned, nonceHash, draft }), subjects, salt };
}

type Own = Pick<Submission, 'assigned' | 'signed' | 'nonceHash' | 'draft' | 'notBefore' | 'privateRows' | 'parts'>;

/** Names every member, because an object that begins with a spread is slow to add others to. */
const submissionOf = (
  { operation, entityId, subjects, subjectIds, publicFacts }: Authorized,
  contributions: readonly Contribution<unknown>[],
  { assigned, signed, nonceHash, draft, notBefore, privateRows, parts }: Own,
): Submission => ({
  operation,
  entityId,
  subjects: subjectIds,
  publicFacts,
  assigned,
  references: referencesOf(operation, { entityId, publicFacts }, subjects),
  signed,
  nonceHash,
  draft,
  notBefore,
  ownerId: subjectIds.holder ?? entityId,
  privateRows,
  ciphertextBytes: contributions.reduce((sum, { ciphertextBytes = 0 }) => sum + ciphertextBytes, 0),
  storedBy: contributions.find(({ storedBy }) => storedBy)?.storedBy ?? subjectIds.holder ?? entityId,
  reserve: isReserved(operation, publicFacts, subjects)
    ? {
        identityId: subjectIds.holder ?? subjectIds.institution ?? entityId,
        by: reserveUser(operation, signed?.signer ?? null),
      }
    : null,
  freshKey: contributions.find(({ freshKey }) => freshKey)?.freshKey ?? null,
  parts,
});

function isReserved({ reserved }: AnyOperation, publicFacts: unknown, subjects: Subjects): boolean {
  return typeof reserved === 'function' ? reserved(publicFacts, subjects) : reserved === true;
}

function reserveUser(operation: AnyOperation, signer: string | null): string {
  if (signer === null) return 'institute';
  return typeof operation.signer === 'object' && 'guardianOf' in operation.signer ? signer : '';
}

async function contributionsOf(plugIns: readonly PlugIn[], request: Authorized) {
  const contributions = await Promise.all(
    plugIns.map(async (plugIn) => [plugIn, (await plugIn.prepare?.(request)) ?? null] as const),
  );
  return contributions.flatMap(([plugIn, added]) => (added ? [[plugIn, added] as const] : []));
}

function respond(
  plugIns: readonly PlugIn[],
  { submission, subjects, salt }: Prepared,
  { transactionId, item, acceptedAt, changes, revokedCount }: Receipt,
  requestId: string,
): Accepted {
  const { operation, entityId, publicFacts, subjects: subjectIds } = submission;
  const latest = [...Object.values(subjects), ...changes];
  const entities = { get: (kind: string, id: string) => latest.findLast((one) => one.kind === kind && one.id === id) };
  const answers = plugIns.map((plugIn) => plugIn.answer?.(submission, acceptedAt) ?? {});
  return {
    transactionId,
    body: {
      transactionId,
      receipt: item.toString('base64'),
      ...(salt === null ? {} : { salt }),
      ...operation.answer({
        transactionId,
        requestId,
        entityId,
        publicFacts,
        // `get` finds an entity by its kind, which determines its type.
        entities: entities as Parameters<AnyOperation['answer']>[0]['entities'],
        revokedCount,
        subjects: subjectIds,
        acceptedAt,
        invitations: [],
        recordIds: [],
        warnings: [],
        ...Object.assign({}, ...answers),
      }),
    },
  };
}

const idsOf = (subjects: Subjects): SubjectIds =>
  Object.fromEntries(Object.entries(subjects).map(([role, { id }]) => [role, id]));

/** The existing entity of the ledger entry; null if the operation creates one. */
const entityOf = ({ about }: AnyOperation, subjects: Subjects): string | null =>
  'role' in about ? (subjects[about.role]?.id ?? null) : null;

/** The fields of a request, completed with values that the client may leave out because the vault has them. */
async function withStoredFields(
  { readPrivateRows }: WriteServices,
  { recalls }: AnyOperation,
  fields: SignedRequest['fields'],
  subjects: Subjects,
  ownerId: string,
): Promise<SignedRequest['fields']> {
  if (!recalls) return fields;
  const ids = recalls.rows(fields, subjects);
  const rows = ids.length > 0 ? await available(() => readPrivateRows(ownerId, ids)) : new Map<string, Json>();
  return recalls.complete(fields, subjects, rows);
}
