import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../server/http/trpc/router.ts';
import { UNREACHABLE } from './unreachable.ts';

/**
 * A failed request: a code of the error table, UNREACHABLE without a response, UNCERTAIN where it is too late to learn whether it
 * arrived, or UNVERIFIED for a response that contradicts what was signed; and the message of the server or the client.
 */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reads the failure of a tRPC query in the browser. */
export function failureOf(error: unknown): Failure {
  const refused = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.refused : undefined;
  return refused ?? UNREACHABLE;
}

const TEMPORARY = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'UNREACHABLE']);

/** Whether a later attempt may succeed; the pages then retry by themselves. */
export const isTemporary = (failure: Failure): boolean => TEMPORARY.has(failure.code);
