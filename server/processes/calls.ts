import type { ProcessReports, ProcessState } from '../admin/process-state.ts';
import type { BackupReport } from '../context.ts';
import type { ChargeReply, ChargeRequest, ConnectionVerdict } from '../parent-process.ts';
import type { Backends } from './backends.ts';

/** The report of the backups at this moment. */
export interface BackupsNow {
  readonly state: ReturnType<BackupReport['state']>;
  readonly problem: string | null;
}

/** What a serving process asks the parent. */
export type ParentCalls = {
  readonly backends: { readonly request: null; readonly reply: Backends };
  readonly backups: { readonly request: null; readonly reply: BackupsNow | null };
  readonly everyProcess: { readonly request: null; readonly reply: ProcessReports };
  readonly charge: { readonly request: readonly ChargeRequest[]; readonly reply: readonly ChargeReply[] };
  readonly opened: { readonly request: string | null; readonly reply: ConnectionVerdict };
  readonly closed: { readonly request: string | null; readonly reply: null };
};

/** What the parent asks a serving process. */
export type ChildCalls = {
  readonly state: { readonly request: null; readonly reply: ProcessState };
};
