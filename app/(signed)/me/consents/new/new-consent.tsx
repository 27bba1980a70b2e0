'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { useHolderOnceRead } from '../../../../_session/current.tsx';
import { FreezeButton } from '../../../../_session/freeze.tsx';
import { Refused } from '../../../../_trpc/refused.tsx';
import { BackTo } from '../../../../_ui/back-to.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { CertificationMark } from '../../../../_ui/certification-mark.tsx';
import { deferred } from '../../../../_ui/deferred.tsx';
import { LocalLink, useGo } from '../../../../_ui/local-link.tsx';
import { Name } from '../../../../_ui/name.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import { ScreenSkeleton } from '../../../../_ui/skeletons.tsx';
import { useBrowser } from '../../../../_ui/use-browser.ts';
import { useLoadAhead } from '../../../../_ui/use-load-ahead.ts';
import { CopyFirst } from '../../../../_wizard/copy-first.tsx';
import { keepRequest, keptRequest } from '../../../../_wizard/kept-request.ts';
import { useFlow } from '../../../../_wizard/use-flow.ts';
import { useKeptDraft } from '../../../../_wizard/use-kept-draft.ts';
import { useVerifiedRequest } from '../../../../_wizard/use-verified-request.ts';
import type { AskedConsent } from '../../../../_wizard/verify-request.ts';
import { Wizard } from '../../../../_wizard/wizard.tsx';
import { useKept } from '../../../_shell/shell.tsx';
import { ChooseRecipient } from './choose-recipient.tsx';
import { type Draft, EMPTY, GRANT, missingIn, type Question } from './draft.ts';
import { draftOf } from './draft-of-request.ts';
import type { Recipient } from './restrictions.ts';

/** The receipt is there before anything is signed: it must not depend on the connection then. */
const loadReview = async () => (await Promise.all([import('./consent-review.tsx'), loadGiven()]))[0].Review;
const loadGiven = async () => (await import('./given.tsx')).Given;
const loadQuestions = () => import('./consent-questions.tsx');
const loadLaterScreens = () => Promise.all([loadQuestions(), loadReview()]);
const Review = deferred(loadReview, <ScreenSkeleton />);
const Given = deferred(loadGiven, <ScreenSkeleton />);

const SCREENS = {
  may: deferred(async () => (await loadQuestions()).MayQuestion, <ScreenSkeleton />),
  data: deferred(async () => (await loadQuestions()).DataQuestion, <ScreenSkeleton />),
  when: deferred(async () => (await loadQuestions()).WhenQuestion, <ScreenSkeleton />),
  long: deferred(async () => (await loadQuestions()).LongQuestion, <ScreenSkeleton />),
};

/** Grants a consent; `?asked` is one for which an institution asked. */
export function NewConsent() {
  const isAsked = useSearchParams().has('asked');
  const isBrowser = useBrowser();
  const text = isAsked && isBrowser ? keptRequest() : null;
  const { verified, failure } = useVerifiedRequest(text);
  const go = useGo();
  const isOver = verified !== null && 'problem' in verified;
  useEffect(() => {
    // Its page says why.
    if (isOver) go('/ask');
  });
  if (failure) return <Refused failure={failure} />;
  if (isOver || (isAsked && (!isBrowser || (text !== null && !verified)))) return <ScreenSkeleton />;
  return <ConsentWizard asked={verified} />;
}

/** One question per screen, then a review before it is signed. Without a request there are no defaults. */
function ConsentWizard({ asked }: { asked: AskedConsent | null }) {
  const t = useTranslations('consents');
  const holder = useHolderOnceRead();
  const search = useSearchParams();
  const proposed = search.get('to') ?? '';
  const [granted, setGranted] = useState<TokenView | null>(null);
  const holderId = useKept('holder')?.id;
  const [draft, setDraft] = useKeptDraft(holderId && `consent:${holderId}${asked?.request.id ?? ''}`, {
    step: search.get('step'),
    done: granted !== null,
    first: asked ? draftOf(asked) : EMPTY,
  });
  const walk = useFlow(
    GRANT,
    { draft, granted: granted !== null, asked: asked !== null, now: Date.now() },
    { title: t('giveTitle'), nameOf: (step) => t(`steps.${step}`) },
  );
  const { screen } = walk;

  useLoadAhead(loadLaterScreens);

  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));

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

  if (granted) return <Given consent={granted} />;

  const { recipient } = draft;
  const who = recipient?.kind === 'institution' ? (recipient.name ?? recipient.domain) : t('yourself');
  const choose = (chosen: Recipient) => {
    setDraft(isSame(chosen, recipient) ? { ...draft, recipient: chosen } : { ...EMPTY, recipient: chosen });
    walk.go('may');
  };
  const answer = (changes: Partial<Draft>) => {
    change(changes);
    if (screen in SCREENS && missingIn(screen as Question, { ...draft, ...changes }, Date.now()) === null) walk.next();
  };
  const backOf = () => {
    if (asked && screen === 'may') return <BackTo href="/ask">{t('asked.back')}</BackTo>;
    return walk.back === null ? <BackTo href="/me/consents">{t('back')}</BackTo> : undefined;
  };
  const Asking = screen in SCREENS ? SCREENS[screen as Exclude<Question, 'who'>] : null;

  return (
    <Wizard narrow walk={walk} back={backOf()}>
      {screen === 'who' && <ChooseRecipient proposed={proposed} onChoose={choose} />}
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
          draft={draft}
          recipient={recipient}
          asked={asked?.request ?? null}
          who={who}
          onChange={change}
          onAnswer={answer}
          onNext={walk.next}
        />
      )}
      {screen === 'review' && recipient && holder && (
        <CopyFirst why="consent">
          <Review
            draft={draft}
            recipient={recipient}
            asked={asked?.request ?? null}
            who={who}
            onChange={walk.go}
            onGiven={(token) => {
              keepRequest(null);
              setGranted(token);
            }}
          />
        </CopyFirst>
      )}
    </Wizard>
  );
}

/** The answers for one institution are not kept for another. */
const isSame = (first: Recipient, second: Recipient | null): boolean =>
  first.kind === 'institution' ? second?.kind === 'institution' && first.id === second.id : first.kind === second?.kind;
