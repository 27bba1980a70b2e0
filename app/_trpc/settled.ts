import { publicError } from '../../server/http/trpc/trpc-errors.ts';
import type { Failure } from './failure.ts';

/** The result of a read during rendering: the data, or a failure. */
export type Settled<T> =
  | { readonly data: T; readonly failure?: never }
  | { readonly data?: never; readonly failure: Failure };

/** Awaits an in-process call; a failure becomes a value that the page can show, instead of the error page. */
export const settle = <T>(answer: Promise<T>): Promise<Settled<T>> =>
  answer.then(
    (data) => ({ data }),
    (failure: unknown) => {
      const { code, message } = publicError(failure);
      return { failure: { code, message } };
    },
  );
