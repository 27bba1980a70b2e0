import type { Snapshot } from './metrics-snapshot.ts';

/** A charge of one subject, whose window (the narrowest of several) allows `limit` charges. */
export type ChargeRequest = readonly [subject: string, limit: number];

/** Of several windows, the tightest. `waitMs`: milliseconds until `remaining` grows. */
export interface ChargeReply {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly waitMs: number;
}

/** `total` and `address`: the connection exceeds that limit and is not counted. */
export type ConnectionVerdict = 'counted' | 'total' | 'address';

/** Counts open connections, or streams, by client: an address, or null if addresses are not limited. */
export interface ConnectionCounts {
  opened(client: string | null): ConnectionVerdict | Promise<ConnectionVerdict>;
  closed(client: string | null): void;
}

/** The last entry that each client address wrote, for a minute. */
export interface RecentWrites {
  wrote(address: string, seq: number): void | Promise<void>;
  /** 0 if the address wrote none. */
  writtenBy(address: string): number | Promise<number>;
}

/**
 * What a serving process asks of the parent that it shares with others (PROCESSES). Requests fail if the parent does
 * not answer.
 */
export interface ParentProcess {
  charge(charge: ChargeRequest): Promise<ChargeReply>;
  readonly connections: ConnectionCounts;
  /** Streams of the ledger. */
  readonly streams: ConnectionCounts;
  readonly recentWrites: RecentWrites;
  /** The metrics of all its serving processes together. */
  metrics(): Promise<Snapshot>;
}
