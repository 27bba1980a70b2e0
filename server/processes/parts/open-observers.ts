import { createMetrics, type Metrics } from '../../platform/observe/metrics.ts';
import { createSecurityEvents, type SecurityEvents } from '../../platform/observe/security-events.ts';
import { startTracing, type Tracing } from '../../platform/observe/tracing.ts';
import type { Closing } from '../../platform/process/closing.ts';
import type { ServiceParts } from '../service.ts';

/** What the service reports beside its log. */
export interface Observers {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly securityEvents: SecurityEvents;
}

export async function openObservers({ config, log, parent }: ServiceParts, closing: Closing): Promise<Observers> {
  const tracing = await startTracing(config, log);
  closing.add('tracing', tracing.stop);
  const securityEvents = createSecurityEvents(log);
  closing.add('the security events', securityEvents.close);
  return { metrics: createMetrics(parent), tracing, securityEvents };
}
