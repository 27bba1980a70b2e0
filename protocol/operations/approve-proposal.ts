import { z } from 'zod';
import { applyDecision } from '../entities/decision.ts';
import { APPROVALS_NEEDED, endsRights, proposalStatus, proposalView } from '../entities/proposal.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import { proposalReference } from '../shapes.ts';
import { defineInstituteOperation } from './institute-operation.ts';

const fields = z.strictObject({ proposalId: proposalReference });
type Fields = z.infer<typeof fields>;

/** Another institute key approves a proposal; the second approval executes it. Protocol §3. */
export const approveProposal = defineInstituteOperation<Fields, Fields>()({
  name: 'approveProposal',
  function: 'approveProposal',
  title: 'Approve a proposal',
  reserved: (_, { proposal }) => proposal?.kind === 'PROPOSAL' && endsRights(proposal.decision),
  routes: [{ method: 'POST', path: '/api/ieo/approve', limit: 'relayer' }],
  status: 200,
  fields,
  subjects: {
    proposal: { kind: 'PROPOSAL', field: 'proposalId' },
    institution: { kind: 'IEO', of: 'proposal', member: 'ieoId' },
  },
  about: { role: 'proposal' },
  events: ['ieo.status_changed', 'ieo.certification_changed'],
  publicFacts: (fields) => fields,

  transition(entities, { entityId, publicFacts: { approver }, acceptedAt }) {
    const proposal = entities.get('PROPOSAL', entityId);
    if (!proposal) throw refusal('PROPOSAL_NOT_FOUND');
    if (proposal.approvals.some((approval) => approval.approver === approver)) throw refusal('ALREADY_APPROVED');
    const status = proposalStatus(proposal, Date.parse(acceptedAt));
    if (status !== 'PENDING') throw refusal('REQUEST_CLOSED', SENTENCES[status]);
    const approved = { ...proposal, approvals: [...proposal.approvals, { approver, approvedAt: acceptedAt }] };
    if (approved.approvals.length < APPROVALS_NEEDED) return { changes: [approved] };
    const institution = applyDecision(proposal.decision, entities, proposal.ieoId, acceptedAt);
    return { changes: [{ ...approved, executedAt: acceptedAt }, institution] };
  },

  errors: ['IEO_NOT_ACTIVE', 'IEO_LOCKED', 'NOT_LOCKED', 'ALREADY_APPROVED', 'REQUEST_CLOSED'],
  response: z.object({
    proposal: views.proposal,
    executed: z.boolean().describe('Whether this approval executed it.'),
  }),
  answer({ entityId, entities, acceptedAt }) {
    const proposal = entities.get('PROPOSAL', entityId);
    if (!proposal) throw refusal('INTERNAL');
    const executed = proposal.executedAt === acceptedAt;
    return { proposal: proposalView(proposal, 'ACCEPTED', Date.parse(acceptedAt)), executed };
  },
});

const SENTENCES = {
  EXECUTED: 'This proposal has already been executed.',
  EXPIRED: 'This proposal has expired; open a new one.',
} as const;
