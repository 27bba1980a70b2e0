/** A wrong response, or another breach, with how often it happened. */
export interface Failure {
  readonly problem: string;
  readonly route: string;
  /** The request number, for --first. */
  readonly index: number;
  /** The file with the bytes that were sent; null if none were. */
  readonly file: string | null;
  readonly times: number;
}

export interface Slow {
  readonly route: string;
  readonly index: number;
  readonly ms: number;
  /** Without the time in which the machine was paused. */
  readonly ownMs: number;
}

/** Bytes of the service's process after a garbage collection. */
export interface Memory {
  readonly atRequest: number;
  readonly used: number;
  readonly resident: number;
}

export interface FuzzReport {
  readonly seed: number;
  readonly first: number;
  readonly requests: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly codes: Readonly<Record<string, number>>;
  /** Requests and successes by route. */
  readonly routes: Readonly<Record<string, { readonly requests: number; readonly succeeded: number }>>;
  /** Routes that got no request. */
  readonly unreached: readonly string[];
  readonly slowest: Slow | null;
  /** Responses that took longer than a second once while the load ran, or 503 because the database was late. */
  readonly slowOnce: number;
  readonly longestPauseMs: number;
  readonly memory: readonly Memory[];
  /** Entries that the responses reported, those of the ledger, and requests that may have made one without a response. */
  readonly entries: { readonly reported: number; readonly inLedger: number; readonly withoutResponse: number };
  readonly failures: readonly Failure[];
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

/** The lines that end a run. */
export function summaryLines(report: FuzzReport): string[] {
  const { slowest, memory, entries, failures, routes } = report;
  const succeeded = Object.values(routes).filter((route) => route.succeeded > 0).length;
  return [
    `${report.requests} requests with seed ${report.seed} in ${Math.round(report.seconds)} seconds, to ${Object.keys(routes).length} routes, of which ${succeeded} succeeded at least once`,
    `responses by status: ${counts(report.statuses)}`,
    `error codes: ${counts(report.codes)}`,
    slowest
      ? `slowest response: ${Math.round(slowest.ownMs)} ms (${Math.round(slowest.ms)} ms with pauses of the machine, the longest of ${Math.round(report.longestPauseMs)} ms), ${slowest.route}`
      : 'no response',
    `longer than a second during the load: ${report.slowOnce}; each was repeated alone afterwards`,
    `memory after garbage collection: ${memory.map(({ atRequest, used, resident }) => `${megabytes(used)} used and ${megabytes(resident)} resident after ${atRequest} requests`).join('; ')}`,
    `${entries.inLedger} entries in the ledger, ${entries.reported} reported by responses, ${entries.withoutResponse} possible without a response`,
    ...report.unreached.map((route) => `not reached: ${route}`),
    ...failures.flatMap(failureLines),
    failures.length === 0 ? 'no failures' : `${failures.length} kinds of failures`,
  ];
}

function failureLines({ problem, route, index, file, times }: Failure): string[] {
  return [
    `FAILED ${times} times, request ${index}, ${route}: ${problem}`,
    ...(file ? [`  again: nc 127.0.0.1 3000 < ${file}`] : []),
  ];
}
