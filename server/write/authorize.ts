import { requiredKey } from '../../protocol/authority.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { JsonObject, SignedRequest } from '../../protocol/signing/message.ts';
import { timestampProblem } from '../../protocol/signing/timestamp-problem.ts';
import type { FollowedLink, Link, WriteServices } from './services.ts';
import { checkHint, readSubjects } from './subjects.ts';

/** A request with a verified signature. */
export interface Verified {
  readonly subjects: Subjects;
  readonly link: FollowedLink | null;
  /** The key that signed: lower-case hex. */
  readonly signer: string;
  /** The signed message. It differs from the request's if the client signed only the number of records. */
  readonly message: JsonObject;
}

/**
 * Verifies a signed request, in the order of protocol §5: keys, timestamp, entities, link, signature.
 * @throws {ProtocolError} at the first problem
 */
export async function authorize(
  services: WriteServices,
  operation: AnyOperation,
  request: SignedRequest,
  link: Link | null,
): Promise<Verified> {
  const { signatures, clock, ownNames } = services;
  const { keys = [] } = operation.introduces?.(request.fields) ?? {};
  const areStrict = signatures.areStrictKeys(keys);
  // If a field holds the key, its signature is verified together with the key check: one round trip to the thread.
  const fieldKey = keyInFields(operation, request);
  const signedByFieldKey = fieldKey === null ? null : signatures.isSigned(request.message, request.signature, fieldKey);
  if (!(await areStrict)) throw refusal('PUBLIC_KEY_INVALID');
  const now = clock.now();
  const problem = operation.examine?.(request.fields, now, ownNames) ?? timestampProblem(request.timestamp, now);
  if (problem) throw problem;
  const followed = link && (await services.links.follow(link));
  const subjects = await readSubjects(services, operation, request.fields);
  await checkHint(services, operation, request, subjects);
  if (followed) checkLink(followed, request, subjects);
  const signer = requiredKey(operation, {
    fields: request.fields,
    subject: (role) => subjects[role],
    guardianKey: followed?.signer ?? null,
  });
  if (signer === null) throw refusal('INTERNAL');
  const message = await signedMessage(services, operation, request, signer, signedByFieldKey);
  return { subjects, link: followed, signer, message };
}

/**
 * A link belongs to one guardian of one identity and to one invitation or recovery request. The request must name the
 * same.
 */
function checkLink({ beoId, fields }: FollowedLink, request: SignedRequest, subjects: Subjects): void {
  const wrong = Object.values(subjects).some(({ id }) => id !== beoId)
    ? 'beoId'
    : Object.keys(fields).find((field) => String(request.fields[field]).toLowerCase() !== fields[field]);
  if (wrong === undefined) return;
  const message = 'does not match this link';
  throw refusal('VALIDATION_FAILED', `The field ${wrong} ${message}.`, { issues: [{ path: wrong, message }] });
}

const keyInFields = ({ signer }: AnyOperation, { fields }: SignedRequest): string | null =>
  typeof signer === 'object' && 'field' in signer ? String(fields[signer.field]).toLowerCase() : null;

/**
 * The message that the signature covers.
 * @throws INVALID_SIGNATURE, SIGNATURE_DOES_NOT_COVER_RECORDS
 */
async function signedMessage(
  { countOnly, signatures }: WriteServices,
  operation: AnyOperation,
  request: SignedRequest,
  signer: string,
  pendingCheck: Promise<boolean> | null,
): Promise<JsonObject> {
  const isSigned = (message: JsonObject) => signatures.isSigned(message, request.signature, signer);
  if (await (pendingCheck ?? isSigned(request.message))) return request.message;
  const countOnlyMessage = operation.countOnlyMessage?.(request.message);
  if (countOnlyMessage && (await isSigned(countOnlyMessage))) {
    if (countOnly) return countOnlyMessage;
    throw refusal('SIGNATURE_DOES_NOT_COVER_RECORDS', undefined, { setting: 'ACCEPT_COUNT_ONLY_SUBMISSIONS' });
  }
  throw refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}
