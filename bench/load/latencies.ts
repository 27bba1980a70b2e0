/** Milliseconds from the moment a request was to be sent to its answer. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Percentiles by nearest rank: p99 is the smallest value that at least 99 % of the values do not exceed. */
export function summariseLatencies(milliseconds: Float64Array): Latencies {
  const sorted = milliseconds.toSorted();
  return { p50: percentile(sorted, 50), p99: percentile(sorted, 99), max: percentile(sorted, 100) };
}

function percentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? Number.NaN;
}
