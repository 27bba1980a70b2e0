import type { z } from 'zod';
import type { TypedOperation } from '../../protocol/operations.ts';

/** The functions that can be signed. Pages import only the types of the table, not the table. */
export type OperationFunction = TypedOperation['function'];

interface Accepted {
  readonly transactionId: string;
  /** The signed data item, base64. */
  readonly receipt: string;
  /** Hex; for sealed operations. */
  readonly salt?: string;
}

/** Of the operations that share a function, the one with these fields; all of them where the fields are not known statically. */
type RowFor<Function, Given> = TypedOperation extends infer Row
  ? Row extends { readonly function: Function; readonly fields: z.ZodType<infer Fields> }
    ? string extends keyof Given
      ? Row
      : keyof Given extends keyof Fields
        ? Row
        : never
    : never
  : never;

/** The response to an operation (protocol §4), by its row in the table. */
export type AnswerTo<Function, Given> =
  RowFor<Function, Given> extends { answer(...given: never[]): infer Answer } ? Accepted & Answer : Accepted;
