import type { Proposal } from '../../../protocol/entities/proposal.ts';
import type { IeoId, ProposalId, TransactionId } from '../../../protocol/ids.ts';
import { defineStore } from './entity-store.ts';

export const proposals = defineStore<'PROPOSAL'>()({
  kind: 'PROPOSAL',
  table: 'proposals',
  idType: 'uuid',
  columns: [
    'decision',
    'ieo_id',
    'justification',
    'approvals',
    'opened_at',
    'expires_at',
    'executed_at',
    'transaction_id',
    'seq',
  ],
  toRow: (proposal) => ({
    id: proposal.id,
    decision: proposal.decision,
    ieo_id: proposal.ieoId,
    justification: proposal.justification,
    approvals: proposal.approvals,
    opened_at: proposal.openedAt,
    expires_at: proposal.expiresAt,
    executed_at: proposal.executedAt,
    transaction_id: proposal.transactionId,
    seq: proposal.seq,
  }),
  fromRow: (row) => ({
    kind: 'PROPOSAL',
    id: row.id as ProposalId,
    decision: row.decision as Proposal['decision'],
    ieoId: row.ieo_id as IeoId,
    justification: row.justification as string,
    approvals: row.approvals as Proposal['approvals'],
    openedAt: row.opened_at as string,
    expiresAt: row.expires_at as string,
    executedAt: row.executed_at as string | null,
    transactionId: row.transaction_id as TransactionId,
    seq: row.seq as number,
  }),
});
