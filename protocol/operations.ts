import type { Operation } from './operation.ts';
import { createBEO } from './operations/create-beo.ts';
import { destroyBEO } from './operations/destroy-beo.ts';
import { lockBEO } from './operations/lock-beo.ts';
import { rotateBEOKey } from './operations/rotate-beo-key.ts';
import { unlockBEO } from './operations/unlock-beo.ts';

/** Rows of one table hold fields of many shapes; only code that goes through one row's own schema may rely on them. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where the rows' types are given up
export type AnyOperation = Operation<any, any>;

/** The one table of operations. Adding an operation is adding one file and one row. */
export const OPERATIONS: readonly AnyOperation[] = [createBEO, lockBEO, unlockBEO, rotateBEOKey, destroyBEO];

/** The operation that an entry's function and signed fields stand for; null where the table has none. */
export function operationFor(functionName: string, facts: Readonly<Record<string, unknown>>): AnyOperation | null {
  const candidates = OPERATIONS.filter((operation) => operation.function === functionName);
  return candidates.find(({ target }) => target === null || Object.hasOwn(facts, target.field)) ?? null;
}
