'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { useHolderOnceRead } from '../../../../_session/current.tsx';
import { FreezeButton } from '../../../../_session/freeze.tsx';
import { BackTo } from '../../../../_ui/back-to.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { CertificationMark } from '../../../../_ui/certification-mark.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import { Name } from '../../../../_ui/name.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { useSteps } from '../../../../_ui/use-step.ts';
import { BackLink, useProgress, Wizard } from '../../../../_ui/wizard.tsx';
import { useKept } from '../../../_shell/shell.tsx';
import { ChooseRecipient } from './choose-recipient.tsx';
import { DataQuestion, LongQuestion, MayQuestion, WhenQuestion } from './consent-questions.tsx';
import { Review } from './consent-review.tsx';
import { type Draft, EMPTY, QUESTIONS, type Question, stepFor } from './draft.ts';
import { ConsentReceipt, PrintReceipt } from './receipt.tsx';
import type { Recipient } from './restrictions.ts';
import { useKeptDraft } from './use-kept-draft.ts';

const SCREENS = { may: MayQuestion, data: DataQuestion, when: WhenQuestion, long: LongQuestion };
/** Chosen by a form that was submitted before the scripts ran: `?recipient=self`. */
const CHOSE_SELF: Draft = { ...EMPTY, recipient: { kind: 'self' } };

const ORDER = [...QUESTIONS, 'review'] as const;

/** Grants a consent: one question per screen without defaults, then a review before it is signed. */
export function NewConsent() {
  const t = useTranslations('consents');
  const holder = useHolderOnceRead();
  const steps = useSteps();
  const search = useSearchParams();
  const proposed = search.get('to') ?? '';
  const [granted, setGranted] = useState<TokenView | null>(null);
  const early = search.get('recipient') === 'self' ? CHOSE_SELF : EMPTY;
  const [draft, setDraft] = useKeptDraft(early, useKept('holder')?.id, steps.requested, granted !== null);
  const requested = steps.requested ?? (early === CHOSE_SELF ? 'may' : null);
  const step = stepFor(requested, draft, granted !== null, Date.now());
  const { focus: changed, progress } = useProgress(t('giveTitle'), step, ORDER, (index) =>
    t(`steps.${ORDER[index] ?? 'who'}`),
  );
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const at = progress.at;

  if (holder?.view.status === 'LOCKED' && !granted) {
    const { kept } = holder;
    return (
      <Screen title={t('locked.title')} heading="h1" focus={false} className="max-w-form space-y-5">
        <p>{t('locked.body')}</p>
        <div className="flex flex-wrap gap-3">
          <FreezeButton kind="holder" id={kept.id} domain={kept.domain} frozen />
          <Button asChild look="secondary">
            <LocalLink href="/me/consents">{t('back')}</LocalLink>
          </Button>
        </div>
      </Screen>
    );
  }

  if (granted) {
    return (
      <Screen title={t('givenTitle')} heading="h1" focus className="max-w-prose space-y-5">
        <p className="print:hidden">{t('givenLead')}</p>
        <ConsentReceipt consent={granted} />
        <div className="flex flex-col gap-3 sm:flex-row print:hidden">
          <Button asChild size="large">
            <LocalLink href="/me/consents">{t('toConsents')}</LocalLink>
          </Button>
          <PrintReceipt />
        </div>
      </Screen>
    );
  }

  const { recipient } = draft;
  const who = recipient?.kind === 'institution' ? (recipient.name ?? recipient.domain) : t('yourself');
  const next = () => steps.go(ORDER[at + 1] ?? 'review');
  const choose = (chosen: Recipient) => {
    setDraft(isSame(chosen, recipient) ? { ...draft, recipient: chosen } : { ...EMPTY, recipient: chosen });
    steps.go('may');
  };
  const Asking = step in SCREENS ? SCREENS[step as Exclude<Question, 'who'>] : null;

  return (
    <Wizard
      narrow
      progress={progress}
      back={
        at > 0 ? (
          <BackLink steps={steps} to={ORDER[at - 1] ?? 'who'} />
        ) : (
          <BackTo href="/me/consents">{t('back')}</BackTo>
        )
      }
    >
      {step === 'who' && <ChooseRecipient focus={changed} proposed={proposed} onChoose={choose} />}
      {Asking && recipient?.kind === 'institution' && (
        <div className="mb-4 border-b border-line pb-3">
          <p className="font-bold break-words">{who}</p>
          <p className="text-sm text-muted">
            <Name>{recipient.domain}</Name>
          </p>
          <CertificationMark institution={recipient.mark} />
        </div>
      )}
      {Asking && recipient && (
        <Asking
          key={step}
          draft={draft}
          recipient={recipient}
          who={who}
          focus={changed}
          onChange={change}
          onNext={next}
        />
      )}
      {step === 'review' && recipient && holder && (
        <Review
          draft={draft}
          recipient={recipient}
          who={who}
          focus={changed}
          onChange={steps.go}
          onGiven={(token) => setGranted(token)}
        />
      )}
    </Wizard>
  );
}

/** The answers for one institution are not kept for another. */
const isSame = (first: Recipient, second: Recipient | null): boolean =>
  first.kind === 'institution' ? second?.kind === 'institution' && first.id === second.id : first.kind === second?.kind;
