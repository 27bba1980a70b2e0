import { isRefusal, type ProtocolError, refusal } from '../../../protocol/errors.ts';
import type { Charge } from '../../write/submission.ts';
import { LIMIT_GROUPS, type LimitGroup } from './groups.ts';
import { type Allowance, isLimiterUnavailable, type Limiter, type LimitSubject, stricter } from './limiter.ts';

/** What one request is charged, and what its answer says of it. */
export interface RequestLimits {
  /** @throws RATE_LIMITED, and UNAVAILABLE where the limiter's store does not answer. Null is free. */
  charge(group: LimitGroup | null, subject: LimitSubject): Promise<void>;
  /** For the signing key: once, however often it is asked. Null where the group does not count keys. */
  chargeKey(group: LimitGroup | null): Charge | null;
  /** Of the stricter of the counters. */
  headers(): Record<string, string>;
}

/** Both transports count by it. Protocol §6. */
export function createRequestLimits(limiter: Limiter): RequestLimits {
  let strictest: { allowance: Allowance; group: LimitGroup } | null = null;

  async function charge(group: LimitGroup | null, subject: LimitSubject): Promise<void> {
    if (group === null) return;
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
      // A batch that has to be tried again asks again.
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
