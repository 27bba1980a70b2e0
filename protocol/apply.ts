import { normalDomain } from './domains.ts';
import type { Entities, Entity, EntityKind } from './entities/entities.ts';
import { refusal } from './errors.ts';
import type { DerivedIds, TransactionId } from './ids.ts';
import type { Accepted, Reference, Role, Subject, SubjectIds, SubjectKind, Subjects } from './operation.ts';
import type { AnyOperation } from './operations.ts';

const isNew = (entities: Pick<Entities, 'get'>, { kind, id }: { kind: EntityKind; id: string }): boolean => {
  const before = entities.get(kind, id);
  return before === undefined || (before.kind === 'NAME' && before.holder === null);
};

/** Runs a transition and returns its outcome; `record` then adds the seq and the transaction id to the changed entities. */
export function applyOperation(operation: AnyOperation, entities: Entities, accepted: Accepted<unknown>) {
  const outcome = operation.transition(entities, accepted);
  const {
    changes,
    revocation = null,
    rowsToDelete = [],
    rowsToExpire = [],
    vaultsToErase = [],
    notices = [],
  } = outcome;
  const fresh = new Set(changes.filter((change) => isNew(entities, change)));
  return {
    revocation,
    rowsToDelete,
    rowsToExpire,
    vaultsToErase,
    notices,
    record: (seq: number, transactionId: TransactionId): readonly Entity[] =>
      changes.map((change) => {
        if (!fresh.has(change)) return { ...change, seq };
        return { ...change, seq, transactionId, ...('createdSeq' in change ? { createdSeq: seq } : {}) };
      }),
  };
}

/** The entities that a transition may read: its subjects and those that `touches` returns. */
export function referencesOf(
  operation: AnyOperation,
  { entityId, publicFacts }: Pick<Accepted<unknown>, 'entityId' | 'publicFacts'>,
  subjects: Subjects,
): readonly Reference[] {
  return [
    ...Object.values(subjects).map(({ kind, id }) => ({ kind, id })),
    ...(operation.touches?.({ entityId, publicFacts }, subjects) ?? []),
  ];
}

/** The ids of the subjects, without the entity that the entry is about: an entry stores them so that a replay resolves no names. */
export function assignedIds(operation: AnyOperation, ids: SubjectIds): Record<Role, string> {
  const { about } = operation;
  return Object.fromEntries(
    Object.entries(operation.subjects).flatMap(([role, subject]) =>
      'field' in subject && !('role' in about && about.role === role) ? [[role, ids[role] ?? '']] : [],
    ),
  );
}

/**
 * The ids of all subjects, from the `assigned` part of the entry and from the members of the entities.
 * @throws INTERNAL if the entry does not name a subject
 */
export function subjectIds(
  operation: AnyOperation,
  entities: Pick<Entities, 'get'>,
  { entityId, assigned }: { readonly entityId: string; readonly assigned: Readonly<Record<Role, string>> },
): SubjectIds {
  const ids: Record<Role, string> = {};
  for (const [role, subject] of Object.entries(operation.subjects)) {
    if ('role' in operation.about && operation.about.role === role) ids[role] = entityId;
    else if ('field' in subject) ids[role] = assigned[role] ?? '';
    else
      ids[role] = memberOf(
        entities.get(operation.subjects[subject.of]?.kind ?? 'BEO', ids[subject.of] ?? ''),
        subject.member,
      );
    if (!ids[role]) throw refusal('INTERNAL', `The entry does not name the ${role}.`);
  }
  return ids;
}

/** Whether a reference (an id, a transaction id or a domain) names an entity. Protocol §2, alias rule. */
export function isReferenceTo(reference: string, entity: Entity): boolean {
  if (reference.toLowerCase() === entity.id || reference === entity.transactionId) return true;
  return (entity.kind === 'BEO' || entity.kind === 'IEO') && normalDomain(reference) === entity.domain;
}

/** The id in a member of an entity: the member is an id, or an object with an `id`. */
export function memberOf(entity: Entity | undefined, member: string): string {
  const value = (entity as unknown as Record<string, unknown> | undefined)?.[member] ?? '';
  return typeof value === 'object' ? (value as { id: string }).id : String(value);
}

/** The kind of the entity in a role. Where a member names the entity as `{ kind, id }`, that kind is used. */
export function kindOf(subject: Subject, entities: (role: Role) => Entity | undefined): SubjectKind {
  if (!('of' in subject)) return subject.kind;
  const value = (entities(subject.of) as unknown as Record<string, unknown> | undefined)?.[subject.member];
  return typeof value === 'object' && value !== null ? (value as { kind: SubjectKind }).kind : subject.kind;
}

/** The entity in a role, by the ids of an entry's subjects; the holder can also be the grantee. */
export function subjectIn(
  operation: AnyOperation,
  role: Role,
  ids: SubjectIds,
  entities: Pick<Entities, 'get'>,
): Entity | undefined {
  const subject = operation.subjects[role];
  const id = ids[role] ?? '';
  if (!subject) return undefined;
  const isOther = 'field' in subject && subject.orRole !== undefined && ids[subject.orRole] === id;
  const other = isOther ? operation.subjects[subject.orRole ?? '']?.kind : undefined;
  const kind = other ?? kindOf(subject, (of) => subjectIn(operation, of, ids, entities));
  return entities.get(kind, id);
}

/** The id of the entity that a signed operation creates. It follows from the signature. Protocol §2. */
export function createdEntityId({ about }: AnyOperation, ids: DerivedIds): string {
  if (!('creates' in about)) throw refusal('INTERNAL');
  return about.creates === 'TOKEN' ? ids.tokenId() : about.creates === 'IEO' ? ids.ieoId() : ids.beoId();
}
