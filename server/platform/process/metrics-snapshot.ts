import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The values of some metrics. Unlike a registry, they can be sent to another process. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

const isCounter = ({ type }: { readonly type: unknown }): boolean => type === 'counter' || type === 'histogram';

/** Counters and histograms, which must never decrease: a scraper would take that for a restart at zero. */
export const countersOf = (snapshot: Snapshot): Snapshot => snapshot.filter(isCounter);

/** As countersOf, without reading any gauge. */
export async function readCounters(registry: Registry): Promise<Snapshot> {
  const counters = registry.getMetricsAsArray().filter(isCounter);
  const read = await Promise.all(counters.map(({ name }) => registry.getSingleMetric(name)?.get()));
  return read.filter((metric) => metric !== undefined);
}

/** One registry for several processes: each metric is added up, unless it names another aggregator. */
export const registryOf = (snapshots: readonly Snapshot[]): Registry =>
  AggregatorRegistry.aggregate(snapshots.map((snapshot) => snapshot.map(withoutAverage)));

/** The average of several event loops would hide the one that is late. */
const withoutAverage = (metric: Snapshot[number]): Snapshot[number] =>
  (metric.aggregator as string | undefined) === 'average' ? { ...metric, aggregator: 'max' } : metric;
