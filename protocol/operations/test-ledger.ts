import { applyOperation, referencesOf, subjectIds } from '../apply.ts';
import type { Entities, Entity, EntityKind, EntityOf } from '../entities/entities.ts';
import type { Instant } from '../entities/recorded.ts';
import { afterRevocation, type RecordedRevocation } from '../entities/revocation.ts';
import type { TransactionId } from '../ids.ts';
import type { Reference, Role, SubjectIds } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';

export interface Request {
  readonly operation: AnyOperation;
  readonly entityId: string;
  /** The ids of its subjects besides the entity it is about, by role. */
  readonly assigned?: Readonly<Record<Role, string>>;
  readonly publicFacts: unknown;
  /** The key that signed, if the transition needs it. */
  readonly signer?: string | null;
}

export interface Recorded extends Request {
  readonly acceptedAt: Instant;
  readonly seq: number;
  readonly transactionId: TransactionId;
  readonly rowsToDelete: readonly string[];
  readonly vaultsToErase: readonly string[];
  readonly changes: readonly Entity[];
  /** The number of tokens that its revocation ended. */
  readonly revokedCount: number;
  readonly subjects: SubjectIds;
}

const keyOf = (kind: EntityKind, id: string): string => `${kind} ${id}`;
function keyOfReference(reference: Reference): string {
  if ('scopeKey' in reference) return `scope ${reference.scopeKey}`;
  return 'liveTokensOf' in reference ? `live tokens of ${reference.liveTokensOf}` : keyOf(reference.kind, reference.id);
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}

/**
 * Test code: a ledger in memory. A transition gets frozen entities, and only those that its operation touches; the test fails if it
 * reads or changes any other.
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

  function revoke(revocation: RecordedRevocation): number {
    const ended = tokens().flatMap((token) => {
      const after = afterRevocation(token, revocation, find('IEO', token.grantee.id));
      return after === token ? [] : [after];
    });
    for (const token of ended) state.set(keyOf('TOKEN', token.id), freeze(token));
    return ended.length;
  }

  /** @throws {ProtocolError} the error of the transition; the ledger does not change then */
  function submit(
    { operation, entityId, assigned = {}, publicFacts, signer = null }: Request,
    acceptedAt: Instant,
  ): Recorded {
    const ids = subjectIds(operation, all, { entityId, assigned });
    const subjects = Object.fromEntries(
      Object.entries(ids).flatMap(([role, id]) => {
        const entity = find(operation.subjects[role]?.kind ?? 'BEO', id) ?? find('BEO', id);
        return entity ? [[role, entity]] : [];
      }),
    );
    const accepted = { entityId, subjects: ids, publicFacts: freeze(publicFacts), signer, assigned, acceptedAt };
    const { about } = operation;
    const touched = new Set(referencesOf(operation, accepted, subjects).map(keyOfReference));
    if ('creates' in about) touched.add(keyOf(about.creates, entityId));
    const requireTouched = (key: string) => {
      if (!touched.has(key)) throw new Error(`${operation.name} read ${key} without touching it.`);
    };
    const entities: Entities = {
      get(kind, id) {
        if (find(kind, id)) requireTouched(keyOf(kind, id));
        return find(kind, id);
      },
      granted(key) {
        requireTouched(`scope ${key}`);
        return all.granted(key);
      },
    };
    const { rowsToDelete, vaultsToErase, revocation, record } = applyOperation(operation, entities, accepted);
    const seq = recorded.length + 1;
    const transactionId = `transaction ${seq}` as TransactionId;
    const changes = record(seq, transactionId);
    for (const entity of changes) {
      const key = keyOf(entity.kind, entity.id);
      if (!touched.has(key)) throw new Error(`${operation.name} changed ${key} without touching it.`);
      state.set(key, freeze(entity));
    }
    const revokedCount = revocation ? revoke({ ...revocation, seq }) : 0;
    const position = { seq, transactionId, acceptedAt, subjects: ids };
    const entry = {
      operation,
      entityId,
      assigned,
      publicFacts,
      signer,
      ...position,
      rowsToDelete,
      vaultsToErase,
      changes,
      revokedCount,
    };
    recorded.push(entry);
    return entry;
  }

  return {
    submit,
    find,
    entities: all,
    recorded: recorded as readonly Recorded[],
    /** All current entities. */
    all: (): readonly Entity[] => [...state.values()],
  };
}

export type TestLedger = ReturnType<typeof createTestLedger>;

/** The number of tokens that an operation revoked. */
export const revokedBy = ({ changes, revokedCount }: Pick<Recorded, 'changes' | 'revokedCount'>): number =>
  revokedCount + changes.filter((change) => change.kind === 'TOKEN' && change.revokedAt !== null).length;
