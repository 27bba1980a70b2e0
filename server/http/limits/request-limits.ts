import { isRefusal, type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { Charge } from '../../write/submission.ts';
import { LIMIT_GROUPS, type LimitGroup } from './groups.ts';
import { type Allowance, isLimiterUnavailable, type Limiter, type LimitSubject, stricter } from './limiter.ts';

/** The charges of one request, and the headers that report them. */
export interface RequestLimits {
  /** Null is free. @throws RATE_LIMITED; UNAVAILABLE if the limiter's store is not available */
  charge(group: LimitGroup | null, subject: LimitSubject): Promise<void>;
  /** Charges the signing key once, even if called again. Null if the group does not count keys. */
  chargeKey(group: LimitGroup | null): Charge | null;
  /** Reports the stricter of the counters. */
  headers(): Record<string, string>;
}

/** Used by REST and tRPC. Protocol §6. */
export function createRequestLimits(limiter: Limiter): RequestLimits {
  let strictest: { allowance: Allowance; group: LimitGroup } | null = null;

  async function charge(group: LimitGroup | null, subject: LimitSubject): Promise<void> {
    if (group === null || !limiter.counts) return;
    const allowance = await limiter.charge(group, subject).catch(asRefusal);
    strictest = { group, allowance: strictest ? stricter(strictest.allowance, allowance) : allowance };
    if (allowance.allowed) return;
    throw refusal('RATE_LIMITED', `Too many requests; try again in ${allowance.resetSeconds} seconds.`, {
      retry_after_seconds: allowance.resetSeconds,
    });
  }

  return {
    charge,
    chargeKey(group) {
      if (group === null || !LIMIT_GROUPS[group].perKey || !limiter.counts) return null;
      let charged: Promise<ProtocolError | null> | null = null;
      const chargeOnce = async (key: string): Promise<ProtocolError | null> => {
        try {
          await charge(group, { key });
          return null;
        } catch (error) {
          return isRefusal(error) ? error : refusal('INTERNAL');
        }
      };
      // A batch that is retried charges again.
      return (key) => {
        charged ??= chargeOnce(key);
        return charged;
      };
    },
    headers: () => (strictest ? limiter.headers(strictest.allowance, strictest.group) : {}),
  };
}

function asRefusal(error: unknown): never {
  if (!isLimiterUnavailable(error)) throw error;
  throw refusal('UNAVAILABLE', 'The service cannot count requests at the moment; try again shortly.');
}
