import { applyOperation } from '../apply.ts';
import type { Entities, Entity, EntityKind, EntityOf, Instant } from '../entities.ts';
import type { TransactionId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';

export interface Request {
  readonly operation: AnyOperation;
  readonly entityId: string;
  readonly known: unknown;
}

export interface Recorded extends Request {
  readonly acceptedAt: Instant;
  readonly seq: number;
  readonly transactionId: TransactionId;
  readonly erases: readonly string[];
}

const keyOf = (kind: EntityKind, id: string): string => `${kind} ${id}`;

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

  /** @throws {ProtocolError} what the transition refuses with; nothing has changed then. */
  function submit({ operation, entityId, known }: Request, acceptedAt: Instant): Recorded {
    const target = operation.target ? find(operation.target.kind, entityId) : undefined;
    const touched = new Set(
      operation.touches({ entityId, known: frozen(known) }, target).map(({ kind, id }) => keyOf(kind, id)),
    );
    const entities: Entities = {
      get(kind, id) {
        if (!touched.has(keyOf(kind, id))) throw new Error(`${operation.name} looked at ${kind} ${id} unannounced.`);
        return find(kind, id);
      },
    };
    const { erases, record } = applyOperation(operation, entities, { entityId, known, acceptedAt });
    const seq = recorded.length + 1;
    const transactionId = `transaction ${seq}` as TransactionId;
    for (const entity of record(seq, transactionId)) {
      const key = keyOf(entity.kind, entity.id);
      if (!touched.has(key)) throw new Error(`${operation.name} changed ${key} unannounced.`);
      state.set(key, frozen(entity));
    }
    const entry = { operation, entityId, known, acceptedAt, seq, transactionId, erases };
    recorded.push(entry);
    return entry;
  }

  return {
    submit,
    find,
    entities: { get: find } as Entities,
    recorded: recorded as readonly Recorded[],
    /** Every entity as it is now. */
    all: (): readonly Entity[] => [...state.values()],
  };
}

export type TestLedger = ReturnType<typeof createTestLedger>;
