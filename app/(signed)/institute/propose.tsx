'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CERT_LEVELS } from '../../../protocol/entities/ieo.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Field } from '../../_ui/field.tsx';
import { RadioCards } from '../../_ui/radio-cards.tsx';
import { hasInvalidEnd } from './certification-draft.ts';
import { DecisionForm } from './decision-form.tsx';
import { FindInstitution } from './find-institution.tsx';
import { LevelChoice } from './level-choice.tsx';
import { ACTIONS, needsReason, type ProposalDraft, proposalBody, STATUSES, withAction } from './proposal-draft.ts';
import { ProposalReview } from './proposal-review.tsx';

type ProposeProps = {
  suffix: string;
  /** What is proposed at first. */
  draft: ProposalDraft;
  onDone: (sentence: string) => void;
};

/** Opens a proposal, which is also its first approval. */
export function Propose({ suffix, draft: first, onDone }: ProposeProps) {
  const t = useTranslations('institute');
  const [draft, setDraft] = useState(first);
  const { action, institution, level, expires, reason, justification } = draft;
  const change = (changes: Partial<ProposalDraft>) => setDraft((before) => ({ ...before, ...changes }));

  return (
    <DecisionForm
      operation="openProposal"
      body={() => proposalBody(draft, Date.now())}
      review={{ title: t('review.proposalTitle'), show: () => <ProposalReview draft={draft} /> }}
      note={
        <p>
          <span className="font-semibold">{t('propose.first')}</span> {t('propose.noReject')}
        </p>
      }
      send={t('propose.send')}
      sending={t('propose.sending')}
      onDone={() => onDone(t('propose.done'))}
    >
      {(checked, restart) => (
        <>
          <RadioCards
            legend={t('propose.action')}
            options={ACTIONS.map((one) => ({
              value: one,
              name: t(`propose.choice.${one}.name`),
              what: t(`propose.choice.${one}.what`),
            }))}
            chosen={action}
            error={checked && !action ? t('propose.noAction') : undefined}
            onChoose={(one) => {
              setDraft((before) => withAction(before, one));
              restart();
            }}
          />
          {action && (
            <>
              {action !== 'changeCertLevel' && (
                <Alert tone={action === 'reinstateIEO' ? 'info' : 'caution'} title={t('propose.effect')}>
                  <p>{t(`effect.${action}`)}</p>
                </Alert>
              )}
              <FindInstitution
                key={action}
                suffix={suffix}
                statuses={STATUSES[action]}
                chosen={institution}
                isMissing={checked && !institution}
                onChoose={(chosen) => change({ institution: chosen })}
              />
              {action === 'changeCertLevel' && (
                <LevelChoice
                  levels={CERT_LEVELS}
                  level={level}
                  onLevel={(chosen) => change({ level: chosen })}
                  isMissing={checked && !level}
                  expires={expires}
                  onExpires={(day) => change({ expires: day })}
                  isBadDay={checked && hasInvalidEnd(level, expires, Date.now())}
                />
              )}
              {needsReason(action) && (
                <Field
                  label={t('propose.reason')}
                  hint={t('propose.reasonHint')}
                  error={checked && reason.trim() === '' ? t('propose.noReason') : undefined}
                  value={reason}
                  onType={(text) => change({ reason: text })}
                  limit={500}
                  rows={3}
                  autoComplete="off"
                />
              )}
              <Field
                label={t('propose.why')}
                hint={t('propose.whyHint')}
                error={checked && justification.trim() === '' ? t('propose.noWhy') : undefined}
                value={justification}
                onType={(text) => change({ justification: text })}
                limit={1_000}
                rows={4}
                autoComplete="off"
              />
            </>
          )}
        </>
      )}
    </DecisionForm>
  );
}
