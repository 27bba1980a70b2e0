import { z } from 'zod';
import { applyDecision } from '../entities/decision.ts';
import { ACTION_PARAMS, ACTIONS, paramsOf } from '../entities/decision-params.ts';
import { type Decision, endsRights, PROPOSAL_MS, proposalView } from '../entities/proposal.ts';
import { UNRECORDED } from '../entities/recorded.ts';
import * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';
import type { IeoId, ProposalId } from '../ids.ts';
import { describedBy, hasDirectionControls, oneOf, text } from '../shapes.ts';
import { isObject, type Json } from '../signing/canonical-json.ts';
import type { JsonObject } from '../signing/message.ts';
import { defineInstituteOperation } from './institute-operation.ts';

const fields = z
  .strictObject({
    action: oneOf(ACTIONS),
    // Not z.record, which drops a member named __proto__: the params must be checked as sent.
    params: describedBy(
      z.custom<JsonObject>((value) => isObject(value as Json), {
        error: 'must be the parameters of the action',
        abort: true,
      }),
      z.union(ACTION_PARAMS),
    ),
    justification: text('why this is proposed', { max: 1_000 }),
  })
  .superRefine(({ action, params }, context) => {
    for (const { path, message } of paramsOf(action).safeParse(params).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['params', ...path], message });
    }
  });

interface PublicFacts {
  readonly decision: Decision;
  readonly justification: string;
}

/** An institute key opens a proposal about an institution; this is also the first approval. Protocol §3, §4. */
export const openProposal = defineInstituteOperation<z.infer<typeof fields>, PublicFacts>()({
  name: 'openProposal',
  function: 'openProposal',
  title: 'Open a proposal',
  reserved: ({ decision }) => endsRights(decision),
  routes: [{ method: 'POST', path: '/api/ieo/approve', limit: 'relayer' }],
  status: 200,
  fields,
  subjects: { institution: { kind: 'IEO', field: 'params.ieoId' } },
  about: { creates: 'PROPOSAL' },
  publicFacts: ({ action, params, justification }) => ({
    decision: { action, params } as unknown as Decision,
    justification,
  }),

  transition(entities, { entityId, subjects, publicFacts: { decision, justification, approver }, acceptedAt }) {
    const institution = subjects.institution ?? '';
    applyDecision(decision, entities, institution, acceptedAt);
    return {
      changes: [
        {
          kind: 'PROPOSAL',
          id: entityId as ProposalId,
          decision,
          ieoId: institution as IeoId,
          justification,
          approvals: [{ approver, approvedAt: acceptedAt }],
          openedAt: acceptedAt,
          expiresAt: new Date(Date.parse(acceptedAt) + PROPOSAL_MS).toISOString(),
          executedAt: null,
          ...UNRECORDED,
        },
      ],
    };
  },

  // Not in the fields: a replay parses them, and existing ledgers may have such texts.
  admit(_, { publicFacts: { decision, justification } }) {
    const texts = { justification, 'params.reason': 'reason' in decision.params ? decision.params.reason : '' };
    const path = Object.entries(texts).find(([, text]) => hasDirectionControls(text))?.[0];
    if (path === undefined) return;
    const message = 'must not contain invisible characters that change the order of text';
    throw refusal('VALIDATION_FAILED', `The proposal cannot be accepted: ${path} ${message}.`, {
      issues: [{ path, message }],
    });
  },

  errors: ['IEO_LOCKED', 'IEO_NOT_ACTIVE', 'NOT_LOCKED'],
  response: z.object({ proposal: views.proposal, executed: z.boolean() }),
  answer({ entityId, entities, acceptedAt }) {
    const proposal = entities.get('PROPOSAL', entityId);
    if (!proposal) throw refusal('INTERNAL');
    return { proposal: proposalView(proposal, 'ACCEPTED', Date.parse(acceptedAt)), executed: false };
  },
});
