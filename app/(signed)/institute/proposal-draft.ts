import type { Operations } from '../../../client/types.ts';
import type { Day } from '../../../protocol/days.ts';
import type { CertLevel, IeoStatus } from '../../../protocol/entities/ieo.ts';
import { hasInvalidEnd, levelFields } from './certification-draft.ts';
import type { ChosenInstitution } from './find-institution.tsx';

export const ACTIONS = ['suspendIEO', 'reinstateIEO', 'revokeIEO', 'changeCertLevel'] as const;
export type Action = (typeof ACTIONS)[number];

/** The statuses in which an institution can be the subject of an action. */
export const STATUSES: Readonly<Record<Action, readonly IeoStatus[]>> = {
  suspendIEO: ['ACTIVE', 'LOCKED'],
  reinstateIEO: ['SUSPENDED'],
  revokeIEO: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
  changeCertLevel: ['ACTIVE', 'LOCKED', 'SUSPENDED'],
};

/** The fields of the form that opens a proposal. */
export interface ProposalDraft {
  readonly action: Action | null;
  readonly institution: ChosenInstitution | null;
  readonly level: CertLevel | null;
  readonly expires: Day;
  /** Is published with the action. */
  readonly reason: string;
  readonly justification: string;
}

export const EMPTY_PROPOSAL: ProposalDraft = {
  action: null,
  institution: null,
  level: null,
  expires: '',
  reason: '',
  justification: '',
};

/** The end of a suspension, to be justified. */
export const reinstatementOf = (institution: ChosenInstitution): ProposalDraft => ({
  ...EMPTY_PROPOSAL,
  action: 'reinstateIEO',
  institution,
});

export const needsReason = (action: Action | null): action is 'suspendIEO' | 'revokeIEO' =>
  action === 'suspendIEO' || action === 'revokeIEO';

/** The draft with another action, without an institution that the action does not allow. */
export function withAction(draft: ProposalDraft, action: Action): ProposalDraft {
  const { institution } = draft;
  return {
    ...draft,
    action,
    institution: institution && STATUSES[action].includes(institution.status) ? institution : null,
  };
}

type Proposed = Operations['openProposal']['fields'];

/** The fields of openProposal; null while something is missing. `now` in ms. */
export function proposalBody(draft: ProposalDraft, now: number): Proposed | null {
  const { action, institution, level, expires } = draft;
  const [reason, justification] = [draft.reason.trim(), draft.justification.trim()];
  if (!action || !institution || justification === '') return null;
  const ieoId = institution.ieo_id;
  if (action === 'changeCertLevel') {
    if (!level || hasInvalidEnd(level, expires, now)) return null;
    return { action, params: { ieoId, ...levelFields(level, expires) }, justification };
  }
  if (!needsReason(action)) return { action, params: { ieoId }, justification };
  return reason === '' ? null : { action, params: { ieoId, reason }, justification };
}
