import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../server/http/trpc/router.ts';

/** Why something could not be had: a code of the error table, or UNREACHABLE where no answer came; and the server's sentence. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reads the failure of a tRPC query in the browser. */
export function failureOf(error: unknown): Failure {
  const told = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.refused : undefined;
  return told ?? { code: 'UNREACHABLE', message: '' };
}

const PASSING = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'UNREACHABLE']);

/** Whether asking again later may help; the pages then do so by themselves. */
export const isPassing = (failure: Failure): boolean => PASSING.has(failure.code);
