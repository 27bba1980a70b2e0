import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../server/http/trpc/router.ts';

/** A failed request: a code of the error table, or UNREACHABLE without a response; and the server's message. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reads the failure of a tRPC query in the browser. */
export function failureOf(error: unknown): Failure {
  const refused = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.refused : undefined;
  return refused ?? { code: 'UNREACHABLE', message: '' };
}

const TEMPORARY = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'UNREACHABLE']);

/** Whether a later attempt may succeed; the pages then retry by themselves. */
export const isTemporary = (failure: Failure): boolean => TEMPORARY.has(failure.code);
