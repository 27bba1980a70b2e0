import { normalDomain } from './domains.ts';
import type { Entities, Entity, EntityKind } from './entities.ts';
import { refusal } from './errors.ts';
import type { TransactionId } from './ids.ts';
import { hasEnded } from './ieo.ts';
import type { Accepted, Reference, Role, Subject, SubjectIds, SubjectKind, Subjects } from './operation.ts';
import type { AnyOperation } from './operations.ts';
import type { Instant } from './recorded.ts';
import { isMeant, type Revocation, type Token } from './token.ts';

const isNew = (entities: Pick<Entities, 'get'>, { kind, id }: { kind: EntityKind; id: string }): boolean => {
  const before = entities.get(kind, id);
  return before === undefined || (before.kind === 'NAME' && before.holder === null);
};

/** Runs a transition and says what changes; `record` then gives the changes their place in the ledger. */
export function applyOperation(operation: AnyOperation, entities: Entities, accepted: Accepted<unknown>) {
  const { changes, revokes = null, forgets = [], lapses = [], erases = [] } = operation.transition(entities, accepted);
  const fresh = new Set(changes.filter((change) => isNew(entities, change)));
  return {
    revokes,
    forgets,
    lapses,
    erases,
    record: (seq: number, transactionId: TransactionId): readonly Entity[] =>
      changes.map((change) => {
        if (!fresh.has(change)) return { ...change, seq };
        return { ...change, seq, transactionId, ...('createdSeq' in change ? { createdSeq: seq } : {}) };
      }),
  };
}

/** A token as a revocation leaves it; null where it is not among those meant, as when its grantee has ended. */
export function afterRevocation(
  revocation: Revocation,
  token: Token,
  entities: Pick<Entities, 'get'>,
  { acceptedAt, seq }: { readonly acceptedAt: Instant; readonly seq: number },
): Token | null {
  const grantee = entities.get(token.grantee.kind, token.grantee.id);
  if (grantee?.kind === 'IEO' && hasEnded(grantee)) return null;
  return isMeant(revocation, token, Date.parse(acceptedAt)) ? { ...token, revokedAt: acceptedAt, seq } : null;
}

/**
 * What a transition may look at: its subjects, and what the operation touches besides. What it creates is not there before,
 * because its id follows from a signature that nobody has used; the write would fail where it is.
 */
export function referencesOf(
  operation: AnyOperation,
  { entityId, known }: Pick<Accepted<unknown>, 'entityId' | 'known'>,
  subjects: Subjects,
): readonly Reference[] {
  return [
    ...Object.values(subjects).map(({ kind, id }) => ({ kind, id })),
    ...operation.touches({ entityId, known }, subjects),
  ];
}

/** What an entry must say besides the entity it is about, so that a replay need not look up names: its other subjects. */
export function assignedIds(operation: AnyOperation, ids: SubjectIds): Record<Role, string> {
  const { about } = operation;
  return Object.fromEntries(
    Object.entries(operation.subjects).flatMap(([role, subject]) =>
      'field' in subject && !('role' in about && about.role === role) ? [[role, ids[role] ?? '']] : [],
    ),
  );
}

/**
 * The ids of all subjects, from the entry's own words and what the entities say of each other.
 * @throws INTERNAL where the entry does not say enough.
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
    if (!ids[role]) throw refusal('INTERNAL', `The entry does not say which entity plays the ${role}.`);
  }
  return ids;
}

/** Whether a reference names an entity by one of the forms of the alias rule. Protocol §2. */
export function standsFor(reference: string, entity: Entity): boolean {
  if (reference.toLowerCase() === entity.id || reference === entity.transactionId) return true;
  return (entity.kind === 'BEO' || entity.kind === 'IEO') && normalDomain(reference) === entity.domain;
}

/** The id that a member of an entity holds, by itself or as that of a party. */
export function memberOf(entity: Entity | undefined, member: string): string {
  const value = (entity as unknown as Record<string, unknown> | undefined)?.[member] ?? '';
  return typeof value === 'object' ? (value as { id: string }).id : String(value);
}

/** What kind of entity the subject of an operation is: a party says so itself. */
export function kindOf(subject: Subject, entities: (role: Role) => Entity | undefined): SubjectKind {
  if (!('of' in subject)) return subject.kind;
  const value = (entities(subject.of) as unknown as Record<string, unknown> | undefined)?.[subject.member];
  return typeof value === 'object' && value !== null ? (value as { kind: SubjectKind }).kind : subject.kind;
}
