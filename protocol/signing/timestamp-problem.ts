import { type ProtocolError, refusal } from '../errors.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS } from '../time.ts';

/** Why a request signed at `timestamp` is not valid at `now` (both in ms), or null. Protocol §1. */
export function timestampProblem(timestamp: number, now: number): ProtocolError | null {
  const late = now - timestamp > MAX_AGE_MS;
  if (!late && timestamp - now <= MAX_AHEAD_MS) return null;
  const details = { server_time: new Date(now).toISOString() };
  return refusal(late ? 'TIMESTAMP_TOO_OLD' : 'TIMESTAMP_IN_FUTURE', undefined, details);
}
