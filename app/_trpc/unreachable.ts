import type { Failure } from './failure.ts';

// Apart from failure.ts, which the pages of guardians and of a recovery would load with the client of tRPC.

/** No response arrived. */
export const UNREACHABLE: Failure = { code: 'UNREACHABLE', message: '' };
