import { kindOf, memberOf, standsFor } from '../../protocol/apply.ts';
import type { Entity } from '../../protocol/entities.ts';
import { type ErrorCode, refusal } from '../../protocol/errors.ts';
import { type SignedRequest, valueAt } from '../../protocol/message.ts';
import type { Subject, SubjectKind, Subjects } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';
import type { Registry } from './registry.ts';

/** @throws the NOT_FOUND or DESTROYED of the first subject that is none. */
export async function readSubjects(
  registry: Pick<Registry, 'readers'>,
  operation: AnyOperation,
  fields: SignedRequest['fields'],
): Promise<Subjects> {
  const named = await readNamed(registry, operation, fields);
  const read: Record<string, Entity> = {};
  for (const [role, subject] of Object.entries(operation.subjects)) {
    const entity =
      'of' in subject ? await readMember(registry, subject, read) : namedEntity(subject, named.get(role), read);
    if (!entity) throw refusal(NOT_FOUND[subject.kind]);
    if (!('evenDestroyed' in subject && subject.evenDestroyed)) refuseDestroyed(entity);
    read[role] = entity;
  }
  return read;
}

interface Named {
  readonly reference: string;
  readonly entity: Entity | null;
}

/** What the fields name, all of it at once. */
async function readNamed(
  { readers }: Pick<Registry, 'readers'>,
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
  return other && named && standsFor(named.reference, other) ? other : (named?.entity ?? null);
}

async function readMember(
  { readers }: Pick<Registry, 'readers'>,
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

/** An unsigned hint that names somebody else is a mistake that the sender should hear of. Protocol §1. */
export async function judgeHint(
  { readers }: Pick<Registry, 'readers'>,
  { hinted }: AnyOperation,
  { hints, fields }: SignedRequest,
  subjects: Subjects,
): Promise<void> {
  const hint = hinted ? (hints[hinted.hint] ?? fields[hinted.hint]) : undefined;
  const subject = hinted ? subjects[hinted.role] : undefined;
  if (!hinted || !subject || typeof hint !== 'string') return;
  const named = standsFor(hint, subject) ? subject : await readers.BEO.entity(hint, hinted.hint);
  if (named?.id !== subject.id) throw refusal(hinted.refusal);
}
