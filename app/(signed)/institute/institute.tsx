'use client';

import { BadgeCheck, Building2, Gavel, KeyRound, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../_keys/back-button.tsx';
import { Choice } from '../../_keys/choice.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { CardSkeleton, ScreenSkeleton, TableSkeleton } from '../../_ui/skeletons.tsx';
import { useScreenChange, useSteps } from '../../_wizard/use-step.ts';
import type { CertificationDraft } from './certification-draft.ts';
import { InstituteKeyProvider, useInstituteKey } from './institute-key.tsx';
import { KeyForm } from './key-form.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { EMPTY_PROPOSAL, type ProposalDraft } from './proposal-draft.ts';
import { Proposals } from './proposals.tsx';
import { keepCertification } from './use-kept-certification.ts';

/** Loaded while its rows would be read. */
const EndingCertifications = deferred(
  async () => (await import('./ending-certifications.tsx')).EndingCertifications,
  <TableSkeleton rows={3} />,
);
/** Loaded once a key is in, or when they are opened. */
const Requests = deferred(async () => (await import('./requests.tsx')).Requests, <CardSkeleton lines={5} />);
const Institutions = deferred(
  async () => (await import('./institutions.tsx')).Institutions,
  <TableSkeleton rows={8} />,
);
const Propose = deferred(async () => (await import('./propose.tsx')).Propose, <ScreenSkeleton />);
const Certify = deferred(async () => (await import('./certify.tsx')).Certify, <ScreenSkeleton />);
const DecisionLog = deferred(async () => (await import('./decision-log.tsx')).DecisionLog, <TableSkeleton rows={8} />);

const SCREENS = ['proposals', 'propose', 'certify', 'institutions', 'decisions'] as const;

/** The page on which holders of institute keys decide about institutions. */
export function Institute({ suffix }: { suffix: string }) {
  const t = useTranslations('institute');
  const steps = useSteps();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [isRenewal, setRenewal] = useState(false);
  const [proposal, setProposal] = useState(EMPTY_PROPOSAL);
  const screen = SCREENS.find((name) => name === steps.requested) ?? 'proposals';
  const moved = useScreenChange(screen, `${t('title')} – Perpetua`);
  const title = {
    proposals: t('title'),
    propose: t('propose.title'),
    certify: t('certifying.title'),
    institutions: t('list.title'),
    decisions: t('log.title'),
  }[screen];

  const go = (to: (typeof SCREENS)[number]) => {
    setOutcome(null);
    setRenewal(false);
    setProposal(EMPTY_PROPOSAL);
    steps.go(to);
  };
  const certify = (draft: CertificationDraft, renews: boolean) => {
    keepCertification(draft);
    go('certify');
    setRenewal(renews);
  };
  const propose = (draft: ProposalDraft) => {
    go('propose');
    setProposal(draft);
  };
  const done = (sentence: string) => {
    steps.go('proposals');
    setOutcome(sentence);
  };

  return (
    <InstituteKeyProvider>
      <div className="space-y-6 pt-3 pb-24">
        {screen !== 'proposals' && <BackButton label={t('back')} onBack={() => go('proposals')} />}
        <Screen key={screen} title={title} heading="h1" focus={moved} className="space-y-6">
          {screen === 'proposals' && <p className="max-w-prose">{t('lead')}</p>}
          <div role="status">
            {outcome && (
              <Alert>
                <p className="font-semibold">{outcome}</p>
              </Alert>
            )}
          </div>
          {screen !== 'institutions' && screen !== 'decisions' && <KeyForm />}
          {screen === 'proposals' && (
            <>
              <div className="grid gap-4 md:grid-cols-2">
                <Choice icon={Gavel} name={t('open')} what={t('openWhat')} onChoose={() => go('propose')} />
                <Choice icon={BadgeCheck} name={t('certify')} what={t('certifyWhat')} onChoose={() => go('certify')} />
                <Choice
                  icon={Building2}
                  name={t('list.title')}
                  what={t('list.what')}
                  onChoose={() => go('institutions')}
                />
                <Choice icon={ScrollText} name={t('log.title')} what={t('log.what')} onChoose={() => go('decisions')} />
              </div>
              <Lists onDone={done} onCertify={certify} onPropose={propose} />
            </>
          )}
          {screen === 'propose' && <Propose suffix={suffix} draft={proposal} onDone={done} />}
          {screen === 'institutions' && <Institutions onCertify={certify} />}
          {screen === 'decisions' && <DecisionLog />}
          {screen === 'certify' && <Certify suffix={suffix} isRenewal={isRenewal} onDone={done} />}
        </Screen>
      </div>
    </InstituteKeyProvider>
  );
}

type ListsProps = {
  onDone: (sentence: string) => void;
  onCertify: (draft: CertificationDraft, isRenewal: boolean) => void;
  onPropose: (draft: ProposalDraft) => void;
};

/** What waits for the institute, then what it decided. */
function Lists({ onDone, onCertify, onPropose }: ListsProps) {
  const t = useTranslations('institute.requests');
  const ending = useTranslations('institute.ending');
  const { key } = useInstituteKey();
  return (
    <>
      <section id="requests" className="space-y-4">
        <h2>{t('title')}</h2>
        {key === null ? (
          <NothingYet icon={KeyRound} title={t('keyFirst')}>
            {t('keyFirstWhat')}
          </NothingYet>
        ) : (
          <Requests onDone={onDone} onCertify={(draft) => onCertify(draft, false)} />
        )}
      </section>
      <section id="ending" className="space-y-4">
        <h2>{ending('title')}</h2>
        <EndingCertifications onRenew={(draft) => onCertify(draft, true)} />
      </section>
      <Proposals onDone={onDone} onPropose={onPropose} />
    </>
  );
}
