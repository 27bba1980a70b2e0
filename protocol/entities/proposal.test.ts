import { describe, expect, test } from 'vitest';
import type { IeoId, ProposalId, TransactionId } from '../ids.ts';
import { PROPOSAL_MS, type Proposal, proposalStatus, proposalView } from './proposal.ts';

const AT = '2026-01-31T12:00:00.000Z';
const ENDS = '2026-02-07T12:00:00.000Z';

const proposal: Proposal = {
  kind: 'PROPOSAL',
  id: 'proposal' as ProposalId,
  decision: { action: 'suspendIEO', params: { ieoId: 'lab.bsp', reason: 'Results are wrong.' } },
  ieoId: 'lab' as IeoId,
  justification: 'Patients have complained.',
  approvals: [{ approver: 3, approvedAt: AT }],
  openedAt: AT,
  expiresAt: ENDS,
  executedAt: null,
  transactionId: 'transaction' as TransactionId,
  seq: 7,
};

describe('a proposal', () => {
  test('has a view with the members of protocol §3', () => {
    expect(proposalView(proposal, 'POSTED', Date.parse(AT))).toMatchObject({
      proposal_id: 'proposal',
      action: 'suspendIEO',
      params: { ieoId: 'lab.bsp', reason: 'Results are wrong.' },
      justification: 'Patients have complained.',
      status: 'PENDING',
      approvals: [{ approver: 3, approved_at: AT }],
      opened_at: AT,
      expires_at: ENDS,
      executed_at: null,
    });
  });

  test('expires after exactly seven days unless it was executed', () => {
    expect(Date.parse(AT) + PROPOSAL_MS).toBe(Date.parse(ENDS));
    expect(proposalStatus(proposal, Date.parse(ENDS) - 1)).toBe('PENDING');
    expect(proposalStatus(proposal, Date.parse(ENDS))).toBe('EXPIRED');
    expect(proposalStatus({ ...proposal, executedAt: AT }, Date.parse(ENDS))).toBe('EXECUTED');
  });
});
