import type { EventType } from '../../../protocol/event-shapes.ts';
import type { SubjectKind } from '../../../protocol/operation.ts';
import { type AnyOperation, OPERATIONS } from '../../../protocol/operations.ts';

/** The kind of entity that the entries of an operation are about. */
export const kindAbout = ({ about, subjects }: AnyOperation): SubjectKind | undefined =>
  'creates' in about ? about.creates : subjects[about.role]?.kind;

/** The operations about a kind of entity that yield events of some types. */
export const operationsYielding = (
  kind: SubjectKind,
  isWanted: (type: EventType) => boolean = () => true,
): readonly AnyOperation[] =>
  OPERATIONS.filter((operation) => kindAbout(operation) === kind && operation.events?.some(isWanted));

/** Two operations can have the same function. */
export const functionsOf = (operations: readonly AnyOperation[]): readonly string[] => [
  ...new Set(operations.map((operation) => operation.function)),
];
