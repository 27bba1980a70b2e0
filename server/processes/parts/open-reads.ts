import { createLimiterStore } from '../../http/limits/create-store.ts';
import { createLimiter, type Limiter } from '../../http/limits/limiter.ts';
import { createPublicReads, type PublicReads } from '../../http/public-reads.ts';
import { createRecentWrites } from '../../http/recent-writes.ts';
import { openStandbys } from '../../platform/db/standbys.ts';
import type { Closing } from '../../platform/process/closing.ts';
import type { OpenParts, ServiceParts } from '../service.ts';

/** Who may send how much, and where public reads are served from. */
export interface Reads {
  readonly limiter: Limiter;
  readonly publicReads: PublicReads;
}

type Given = Pick<OpenParts, 'pools' | 'ledger' | 'observers' | 'clock'>;

export function openReads({ config, log, parent }: ServiceParts, given: Given, closing: Closing): Reads {
  const { pools, ledger, observers, clock } = given;
  const limiter = createLimiter({
    enabled: config.RATE_LIMIT,
    onCharge: observers.metrics.charged,
    store: createLimiterStore(config, {
      hashKey: ledger.derivedKey('limiter').toString('hex'),
      now: clock.now,
      parent,
      onError: (error) => log.warn({ err: error }, 'the limiter store failed'),
    }),
  });
  closing.add('the rate limits', limiter.close);
  const standbys = openStandbys(config.DATABASE_READ_URL, {
    primary: pools.pool,
    ledgerId: ledger.head.ledgerId,
    maxLagMs: config.DATABASE_READ_MAX_LAG_MS,
    onChange: (standby, reason) =>
      reason === null
        ? log.warn({ standby }, 'a standby serves reads')
        : log.warn({ standby, reason }, 'a standby is skipped'),
  });
  const publicReads = createPublicReads({
    standbys,
    suffix: config.DOMAIN_SUFFIX,
    recentWrites: parent?.recentWrites ?? createRecentWrites(),
    onRead: observers.metrics.read,
  });
  closing.add('the standbys', publicReads.stop);
  return { limiter, publicReads };
}
