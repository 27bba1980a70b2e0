/** A charge of one subject, whose window allows `limit` charges. */
export type ChargeRequest = readonly [subject: string, limit: number];

/** `waitMs`: milliseconds until `remaining` grows. */
export interface ChargeReply {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly waitMs: number;
}

/** `total` and `address`: the connection exceeds that limit and is not counted. */
export type ConnectionVerdict = 'counted' | 'total' | 'address';

/** Counts open connections by client: an address, or null if addresses are not limited. */
export interface ConnectionCounts {
  opened(client: string | null): ConnectionVerdict | Promise<ConnectionVerdict>;
  closed(client: string | null): void;
}

/**
 * What a serving process asks of the parent that it shares with others (PROCESSES). Requests fail if the parent does
 * not answer.
 */
export interface ParentProcess {
  charge(charges: readonly ChargeRequest[]): Promise<readonly ChargeReply[]>;
  readonly connections: ConnectionCounts;
}
