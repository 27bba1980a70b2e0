import type { z } from 'zod';
import type { IeoId, ProposalId } from '../ids.ts';
import type { CertLevel } from './ieo.ts';
import { type Instant, type LedgerStatus, type Recorded, VERSION } from './recorded.ts';
import type * as views from './views.ts';

export const PROPOSAL_MS = 7 * 24 * 3_600_000;
export const APPROVALS_NEEDED = 2;

/** One of the institute's three keys, by its place in the list. */
export type Approver = 1 | 2 | 3;

/** A decision of the institute about an institution; `ieoId` as it was sent, in any form of the alias rule. */
export type Decision =
  | { readonly action: 'suspendIEO'; readonly params: { readonly ieoId: string; readonly reason: string } }
  | { readonly action: 'reinstateIEO'; readonly params: { readonly ieoId: string } }
  | { readonly action: 'revokeIEO'; readonly params: { readonly ieoId: string; readonly reason: string } }
  | {
      readonly action: 'changeCertLevel';
      readonly params: { readonly ieoId: string; readonly level: CertLevel; readonly expiresAt?: string | null };
    };

/** Whether a decision only takes rights away from its institution. Protocol §6. */
export const endsRights = ({ action }: Decision): boolean => action === 'suspendIEO' || action === 'revokeIEO';

/** A governance proposal. EXPIRED follows from the time and is never stored. Protocol §3. */
export interface Proposal extends Recorded {
  readonly kind: 'PROPOSAL';
  readonly id: ProposalId;
  readonly decision: Decision;
  /** The institution that it is about. */
  readonly ieoId: IeoId;
  readonly justification: string;
  readonly approvals: readonly { readonly approver: Approver; readonly approvedAt: Instant }[];
  readonly openedAt: Instant;
  readonly expiresAt: Instant;
  readonly executedAt: Instant | null;
}

export function proposalStatus(proposal: Proposal, now: number): 'PENDING' | 'EXECUTED' | 'EXPIRED' {
  if (proposal.executedAt !== null) return 'EXECUTED';
  return now >= Date.parse(proposal.expiresAt) ? 'EXPIRED' : 'PENDING';
}

export type ProposalView = z.output<typeof views.proposal>;

/** A proposal as the institute reads it. `now` in ms determines whether it has expired. */
export function proposalView(proposal: Proposal, status: LedgerStatus, now: number): ProposalView {
  return {
    proposal_id: proposal.id,
    action: proposal.decision.action,
    params: proposal.decision.params,
    justification: proposal.justification,
    status: proposalStatus(proposal, now),
    approvals: proposal.approvals.map(({ approver, approvedAt }) => ({ approver, approved_at: approvedAt })),
    opened_at: proposal.openedAt,
    expires_at: proposal.expiresAt,
    executed_at: proposal.executedAt,
    version: VERSION,
    arweave_tx: proposal.transactionId,
    ledger: { seq: proposal.seq, status },
  };
}
