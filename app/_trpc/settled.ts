import { told } from '../../server/http/trpc/errors.ts';
import type { Failure } from './failure.ts';

/** What the server had in hand when it rendered the page: the data, or why not. */
export type Settled<T> =
  | { readonly data: T; readonly failure?: never }
  | { readonly data?: never; readonly failure: Failure };

/** Waits for an in-process call; a failure becomes something the page can say, never the error page. */
export const settle = <T>(answer: Promise<T>): Promise<Settled<T>> =>
  answer.then(
    (data) => ({ data }),
    (failure: unknown) => {
      const { code, message } = told(failure);
      return { failure: { code, message } };
    },
  );
