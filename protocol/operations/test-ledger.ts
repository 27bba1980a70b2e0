import { afterRevocation, applyOperation, referencesOf, subjectIds } from '../apply.ts';
import type { Entities, Entity, EntityKind, EntityOf } from '../entities.ts';
import type { TransactionId } from '../ids.ts';
import type { Reference, Role, SubjectIds } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';
import type { Instant } from '../recorded.ts';

export interface Request {
  readonly operation: AnyOperation;
  readonly entityId: string;
  /** The ids of its subjects besides the entity it is about, by role. */
  readonly assigned?: Readonly<Record<Role, string>>;
  readonly known: unknown;
  /** The key that has signed, where the transition asks for it. */
  readonly signer?: string | null;
}

export interface Recorded extends Request {
  readonly acceptedAt: Instant;
  readonly seq: number;
  readonly transactionId: TransactionId;
  readonly forgets: readonly string[];
  readonly erases: readonly string[];
  readonly revokedCount: number;
  readonly subjects: SubjectIds;
}

const keyOf = (kind: EntityKind, id: string): string => `${kind} ${id}`;
const keyOfReference = (reference: Reference): string =>
  'scopeKey' in reference ? `scope ${reference.scopeKey}` : keyOf(reference.kind, reference.id);

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

/**
 * Test code: a ledger in memory. A transition sees frozen entities, and only those that its operation said it touches;
 * anything else it looks at or changes is an error of the test.
 */
export function createTestLedger() {
  const state = new Map<string, Entity>();
  const recorded: Recorded[] = [];
  const find = <Kind extends EntityKind>(kind: Kind, id: string) =>
    state.get(keyOf(kind, id)) as EntityOf<Kind> | undefined;
  const tokens = () => [...state.values()].flatMap((entity) => (entity.kind === 'TOKEN' ? [entity] : []));
  const all: Entities = {
    get: find,
    granted: (key) => tokens().filter((token) => token.revokedAt === null && token.scopeKey === key),
  };

  /** @throws {ProtocolError} what the transition refuses with; nothing has changed then. */
  function submit(
    { operation, entityId, assigned = {}, known, signer = null }: Request,
    acceptedAt: Instant,
  ): Recorded {
    const ids = subjectIds(operation, all, { entityId, assigned });
    const subjects = Object.fromEntries(
      Object.entries(ids).flatMap(([role, id]) => {
        const entity = find(operation.subjects[role]?.kind ?? 'BEO', id) ?? find('BEO', id);
        return entity ? [[role, entity]] : [];
      }),
    );
    const accepted = { entityId, subjects: ids, known: frozen(known), signer, assigned, acceptedAt };
    const { about } = operation;
    const touched = new Set(referencesOf(operation, accepted, subjects).map(keyOfReference));
    if ('creates' in about) touched.add(keyOf(about.creates, entityId));
    const announced = (key: string) => {
      if (!touched.has(key)) throw new Error(`${operation.name} looked at ${key} unannounced.`);
    };
    const entities: Entities = {
      get(kind, id) {
        if (find(kind, id)) announced(keyOf(kind, id));
        return find(kind, id);
      },
      granted(key) {
        announced(`scope ${key}`);
        return all.granted(key);
      },
    };
    const { revokes, forgets, erases, record } = applyOperation(operation, entities, accepted);
    const seq = recorded.length + 1;
    const transactionId = `transaction ${seq}` as TransactionId;
    const revoked = revokes
      ? tokens().flatMap((token) => afterRevocation(revokes, token, all, { acceptedAt, seq }) ?? [])
      : [];
    for (const entity of record(seq, transactionId)) {
      const key = keyOf(entity.kind, entity.id);
      if (!touched.has(key)) throw new Error(`${operation.name} changed ${key} unannounced.`);
      state.set(key, frozen(entity));
    }
    for (const token of revoked) state.set(keyOf('TOKEN', token.id), frozen(token));
    const revokedCount = revoked.length;
    const place = { seq, transactionId, acceptedAt, subjects: ids };
    const entry = { operation, entityId, assigned, known, signer, ...place, forgets, erases, revokedCount };
    recorded.push(entry);
    return entry;
  }

  return {
    submit,
    find,
    entities: all,
    recorded: recorded as readonly Recorded[],
    /** Every entity as it is now. */
    all: (): readonly Entity[] => [...state.values()],
  };
}

export type TestLedger = ReturnType<typeof createTestLedger>;
