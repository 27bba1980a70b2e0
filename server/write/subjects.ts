import { isReferenceTo, kindOf, memberOf } from '../../protocol/apply.ts';
import type { Entity } from '../../protocol/entities/entities.ts';
import { type ErrorCode, refusal } from '../../protocol/errors.ts';
import type { Subject, SubjectKind, Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import { type SignedRequest, valueAt } from '../../protocol/signing/message.ts';
import type { WriteServices } from './services.ts';

/**
 * Loads the entities that an operation names. @throws NOT_FOUND or DESTROYED for the first one that is missing or
 * destroyed
 */
export async function readSubjects(
  services: Pick<WriteServices, 'readers'>,
  operation: AnyOperation,
  fields: SignedRequest['fields'],
): Promise<Subjects> {
  const named = await readNamed(services, operation, fields);
  const read: Record<string, Entity> = {};
  for (const [role, subject] of Object.entries(operation.subjects)) {
    const entity =
      'of' in subject ? await readMember(services, subject, read) : namedEntity(subject, named.get(role), read);
    if (!entity) throw refusal(NOT_FOUND[subject.kind]);
    if (!('mayBeDestroyed' in subject && subject.mayBeDestroyed)) refuseDestroyed(entity);
    read[role] = entity;
  }
  return read;
}

interface Named {
  readonly reference: string;
  readonly entity: Entity | null;
}

/** Loads the entities named by fields, all at once. */
async function readNamed(
  { readers }: Pick<WriteServices, 'readers'>,
  operation: AnyOperation,
  fields: SignedRequest['fields'],
) {
  const named = Object.entries(operation.subjects).map(async ([role, subject]): Promise<[string, Named] | null> => {
    if ('of' in subject) return null;
    const reference = String(valueAt(fields, subject.field));
    return [role, { reference, entity: await readers[subject.kind].entity(reference, subject.field) }];
  });
  return new Map((await Promise.all(named)).filter((entry) => entry !== null));
}

function namedEntity(
  { orRole }: Extract<Subject, { field: string }>,
  named: Named | undefined,
  read: Subjects,
): Entity | null {
  const other = orRole ? read[orRole] : undefined;
  return other && named && isReferenceTo(named.reference, other) ? other : (named?.entity ?? null);
}

async function readMember(
  { readers }: Pick<WriteServices, 'readers'>,
  subject: Extract<Subject, { of: string }>,
  read: Subjects,
): Promise<Entity | null> {
  const { of, member } = subject;
  return readers[kindOf(subject, (role) => read[role])].entity(memberOf(read[of], member), of);
}

const NOT_FOUND: Readonly<Record<SubjectKind, ErrorCode>> = {
  BEO: 'BEO_NOT_FOUND',
  IEO: 'IEO_NOT_FOUND',
  TOKEN: 'TOKEN_NOT_FOUND',
  PROPOSAL: 'PROPOSAL_NOT_FOUND',
};

function refuseDestroyed(entity: Entity): void {
  if (entity.kind === 'BEO' && entity.status === 'DESTROYED') throw refusal('BEO_DESTROYED');
  if (entity.kind === 'IEO' && entity.status === 'DESTROYED') throw refusal('IEO_DESTROYED');
}

/** Rejects a hint or field that names another entity than the subject of its role. Protocol §1. */
export async function checkHint(
  { readers }: Pick<WriteServices, 'readers'>,
  { mustName }: AnyOperation,
  { hints, fields }: SignedRequest,
  subjects: Subjects,
): Promise<void> {
  const reference = mustName ? (hints[mustName.field] ?? fields[mustName.field]) : undefined;
  const subject = mustName ? subjects[mustName.role] : undefined;
  if (!mustName || !subject || typeof reference !== 'string') return;
  const named = isReferenceTo(reference, subject) ? subject : await readers.BEO.entity(reference, mustName.field);
  if (named?.id !== subject.id) throw refusal(mustName.code);
}
