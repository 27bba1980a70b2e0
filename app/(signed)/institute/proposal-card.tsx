'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { CertificationMarkOf } from '../../_trpc/certification-mark-of.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Dialog } from '../../_ui/dialog.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Fact } from '../../_ui/scope-summary.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { DecisionRefused } from './decision-refused.tsx';
import { useInstituteKey } from './institute-key.tsx';
import { type ProposalDraft, reinstatementOf } from './proposal-draft.ts';
import { useDecide } from './use-decide.ts';

export type Proposal = Answers['proposals']['proposals'][number];

export type ProposalCardProps = {
  proposal: Proposal;
  /** Prepares another proposal. */
  onPropose: (draft: ProposalDraft) => void;
  onDone: (sentence: string) => void;
};

const STATES = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'REVOKED', 'DESTROYED'] as const;

/** A proposal: its action, the institution, the reason and the approvals. */
export function ProposalCard({ proposal, onPropose, onDone }: ProposalCardProps) {
  const t = useTranslations('institute');
  const day = useDay();
  const { approver: held } = useInstituteKey();
  const [asking, setAsking] = useState(false);
  const { institution, status, approvals } = proposal;
  const name = institution.display_name ?? institution.domain;
  const effect = useEffectWords(proposal);
  const state = STATES.find((status) => status === institution.status);
  const isOwn = approvals.some(({ approver }) => approver === held);
  const what = t(`does.${proposal.action}`, { name });
  return (
    <article className="space-y-3 rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-lg break-words">{what}</h3>
        <StateBadge state={status === 'EXPIRED' ? 'EXPIRED_PROPOSAL' : status} />
      </div>
      <p>{effect}</p>
      <dl className="space-y-2">
        <Fact name={t('proposal.about')}>
          <LocalLink href={`/explore/${institution.ieo_id}`} className={textLink}>
            {institution.domain}
          </LocalLink>{' '}
          {state && <StateBadge state={state} />} <CertificationMarkOf id={institution.ieo_id} />
        </Fact>
        {'reason' in proposal.params && <Fact name={t('proposal.reason')}>{proposal.params.reason}</Fact>}
        <Fact name={t('proposal.why')}>{proposal.justification}</Fact>
        <Fact name={t('proposal.approvedBy')}>
          <ul>
            {approvals.map(({ approver, approved_at: at }) => (
              <li key={approver}>{t('proposal.approver', { approver, day: day(at) })}</li>
            ))}
          </ul>
        </Fact>
        {proposal.executed_at ? (
          <Fact name={t('proposal.executed')}>{day(proposal.executed_at)}</Fact>
        ) : (
          <Fact name={t('proposal.expires')}>{day(proposal.expires_at)}</Fact>
        )}
      </dl>
      {status === 'PENDING' && (
        <p className="text-muted">{t('proposal.noReject', { day: day(proposal.expires_at) })}</p>
      )}
      {status === 'PENDING' && isOwn && <p className="font-semibold">{t('proposal.own', { approver: held })}</p>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        {status === 'PENDING' && !isOwn && <Button onClick={() => setAsking(true)}>{t('proposal.approve')}</Button>}
        {proposal.action === 'suspendIEO' && status === 'EXECUTED' && state === 'SUSPENDED' && (
          <Button look="secondary" onClick={() => onPropose(reinstatementOf({ ...institution, status: state }))}>
            {t('proposal.reinstate')}
          </Button>
        )}
        <LocalLink href={`/explore/${proposal.arweave_tx}`} className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('proposal.ledger')}
        </LocalLink>
      </div>
      {asking && (
        <Approve
          proposal={proposal}
          what={what}
          effect={effect}
          onClose={() => setAsking(false)}
          onDone={() => onDone(t(`carriedOut.${proposal.action}`, { name }))}
        />
      )}
    </article>
  );
}

type ApproveProps = { proposal: Proposal; what: string; effect: string; onClose: () => void; onDone: () => void };

function Approve({ proposal, what, effect, onClose, onDone }: ApproveProps) {
  const t = useTranslations('institute');
  const { key, forget } = useInstituteKey();
  const decide = useDecide();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const approve = async () => {
    if (isSending || key === null) return;
    setSending(true);
    const refused = await decide('approveProposal', { proposalId: proposal.proposal_id }, key);
    setSending(false);
    if (!refused) return onDone();
    if (refused.code === 'INSTITUTE_KEY_INVALID') forget();
    setFailure(refused);
  };

  return (
    <Dialog title={t('proposal.approveTitle')} description={`${what}. ${effect}`} onClose={onClose}>
      <div className="space-y-4">
        <p className="font-semibold">{t('proposal.second')}</p>
        {key === null && !failure && (
          <Alert tone="caution">
            <p>{t('key.first')}</p>
          </Alert>
        )}
        <DecisionRefused failure={failure} />
        <div className="flex flex-col gap-3 sm:flex-row">
          {key !== null && (
            <Button size="large" onClick={approve} busy={isSending}>
              {t(isSending ? 'proposal.sending' : 'proposal.yes')}
            </Button>
          )}
          <Button look="secondary" size="large" onClick={onClose} disabled={isSending}>
            {t('proposal.no')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function useEffectWords({ action, params }: Proposal): string {
  const t = useTranslations('institute.effect');
  const day = useDay();
  if (action !== 'changeCertLevel' || !('level' in params)) return t(action, { level: '', until: 'none' });
  return t(action, { level: params.level, until: params.expiresAt ? day(params.expiresAt) : 'none' });
}
