import type { Entities, Entity, EntityKind } from './entities.ts';
import type { TransactionId } from './ids.ts';
import type { Accepted } from './operation.ts';
import type { AnyOperation } from './operations.ts';

const isNew = (entities: Entities, { kind, id }: { kind: EntityKind; id: string }): boolean => {
  const before = entities.get(kind, id);
  return before === undefined || (before.kind === 'NAME' && before.holder === null);
};

/** Runs a transition and says what changes; `record` then gives the changes their place in the ledger. */
export function applyOperation(operation: AnyOperation, entities: Entities, accepted: Accepted<unknown>) {
  const { changes, erases = [] } = operation.transition(entities, accepted);
  const fresh = new Set(changes.filter((change) => isNew(entities, change)));
  return {
    erases,
    record: (seq: number, transactionId: TransactionId): readonly Entity[] =>
      changes.map((change) => ({
        ...change,
        seq,
        transactionId: fresh.has(change) ? transactionId : change.transactionId,
      })),
  };
}
