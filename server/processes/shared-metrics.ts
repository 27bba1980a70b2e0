import { countersOf, registryOf, type Snapshot } from '../platform/process/metrics-snapshot.ts';

/** The metrics of all serving processes of this parent. */
export interface SharedMetrics {
  /** Begins to read a process that serves. */
  add(read: () => Promise<Snapshot>): MetricsOfProcess;
  /** Reads every process. What those that ended have counted is included, so that no counter decreases. */
  read(): Promise<Snapshot>;
}

export interface MetricsOfProcess {
  /** What it has counted until now. */
  count(counters: Snapshot): void;
  ended(): void;
}

export function createSharedMetrics(): SharedMetrics {
  interface Member {
    readonly read: () => Promise<Snapshot>;
    /** The last counters that it reported. */
    counters: Snapshot;
  }
  const members = new Set<Member>();
  /** The counters of the processes that ended. */
  let past: Promise<Snapshot> = Promise.resolve([]);

  return {
    add(read) {
      const member: Member = { read, counters: [] };
      members.add(member);
      return {
        count(counters) {
          member.counters = counters;
        },
        ended() {
          if (!members.delete(member)) return;
          past = past.then((before) => registryOf([before, member.counters]).getMetricsAsJSON());
        },
      };
    },
    async read() {
      const readings = await Promise.all(
        [...members].map(async (member) => {
          const snapshot = await member.read().catch(() => null);
          if (snapshot) member.counters = countersOf(snapshot);
          return { member, snapshot };
        }),
      );
      // A process that has ended meanwhile is in `past`.
      const current = readings.filter(({ member }) => members.has(member));
      const before = past;
      const snapshots = current.map(({ member, snapshot }) => snapshot ?? member.counters);
      return registryOf([await before, ...snapshots]).getMetricsAsJSON();
    },
  };
}
