import type { BackupReport } from '../http/context.ts';
import type { Snapshot } from '../platform/process/metrics-snapshot.ts';
import type { ChargeReply, ChargeRequest, ConnectionVerdict } from '../platform/process/parent-process.ts';
import type { Backends } from './backends.ts';

/**
 * The version of these requests. A reload starts processes of a new release under the parent of an old one: raise it with
 * every change that one of them would not understand.
 */
export const CALLS_VERSION = 4;

/** The report of the backups at this moment. */
export interface BackupsNow {
  readonly state: ReturnType<BackupReport['state']>;
  readonly problem: string | null;
}

/** What a serving process asks the parent. */
export type ParentCalls = {
  readonly start: { readonly request: null; readonly reply: { readonly version: number; readonly backends: Backends } };
  readonly backups: { readonly request: null; readonly reply: BackupsNow | null };
  readonly charge: { readonly request: ChargeRequest; readonly reply: ChargeReply };
  readonly opened: { readonly request: string | null; readonly reply: ConnectionVerdict };
  readonly closed: { readonly request: string | null; readonly reply: null };
  readonly streamOpened: { readonly request: string | null; readonly reply: ConnectionVerdict };
  readonly streamClosed: { readonly request: string | null; readonly reply: null };
  readonly wrote: { readonly request: readonly [address: string, seq: number]; readonly reply: null };
  readonly writtenBy: { readonly request: string; readonly reply: number };
  /** The metrics of all serving processes. */
  readonly metrics: { readonly request: null; readonly reply: Snapshot };
  /** What the process has counted, when it ends. */
  readonly lastCounters: { readonly request: Snapshot; readonly reply: null };
};

/** What the parent asks a serving process. */
export type ChildCalls = {
  readonly metrics: { readonly request: null; readonly reply: Snapshot };
  /** Begins to end the process without losing a request: others serve new connections. */
  readonly retire: { readonly request: null; readonly reply: null };
};
