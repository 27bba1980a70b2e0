'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { PracticeState } from '../../../server/features/guardians/practise-recovery.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import { read } from '../../_session/send.ts';
import { signerOfOpen } from '../../_session/signer.ts';
import { Alert } from '../../_ui/alert.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Actions, Question, Refusal } from '../../_ui/question.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { SendStep } from '../../_wizard/send-step.tsx';
import { useFlow } from '../../_wizard/use-flow.ts';
import { useSubmission } from '../../_wizard/use-submission.ts';
import { StepLink, Wizard } from '../../_wizard/wizard.tsx';
import { checkWords } from '../confirm-recovery/check-words.ts';
import { CONFIRM, checked, NO_WORDS, typed } from '../confirm-recovery/confirm-flow.ts';
import { Call, Stop } from '../confirm-recovery/confirm-screens.tsx';
import { LinkFor } from '../link-for.tsx';

/** Loaded after the first screen. */
const loadOpenKey = async () => (await import('../../_keys/open-key.tsx')).OpenKey;
const loadWords = async () => (await import('../confirm-recovery/words-screen.tsx')).WordsScreen;
const loadLater = () => Promise.all([loadWords(), loadOpenKey()]);
const OpenKey = deferred(loadOpenKey, <ScreenSkeleton />);
const WordsScreen = deferred(loadWords, <ScreenSkeleton />);

type PractiseRecoveryProps = { token: string; practice: Extract<PracticeState, { state: 'open' }> };

/** The steps of a confirmation, each of which says that it is a practice. What is signed confirms nothing. */
export function PractiseRecovery({ token, practice }: PractiseRecoveryProps) {
  const t = useTranslations('practise');
  const steps = useTranslations('confirm.steps');
  const { beo_id: beoId, beo_domain: domain, guardian_key: guardianKey, new_public_key: newPublicKey } = practice;
  const [given, setGiven] = useState(NO_WORDS);
  const [key, setKey] = useState<OpenedKey | null>(null);
  const [isDone, setDone] = useState(false);
  const { sending, failure, submit } = useSubmission();
  const walk = useFlow(
    CONFIRM,
    { wordsAreRight: given.areRight, hasKey: key !== null, confirmed: isDone },
    { title: t('title'), nameOf: (step) => steps(step) },
  );
  const { screen } = walk;
  const linkFor = <LinkFor domain={domain} role={practice.role} expectedKey={guardianKey} />;

  useLoadAhead(loadLater);

  const check = async () => {
    const list = await import('../../_keys/crypto.ts').catch(() => null);
    const problem = list ? checkWords(list, given.words, practice) : { kind: 'unchecked' as const, wrong: [] };
    setGiven((now) => checked(now, problem));
    if (!problem) walk.go(key ? 'confirm' : 'key');
  };

  const confirm = async () => {
    const fields = { practiceId: practice.practice_id, newPublicKey };
    const sent =
      key &&
      (await submit(() => read((client) => client.practiseRecovery(fields, { key: signerOfOpen(key), link: token }))));
    if (sent?.ok) setDone(true);
  };

  return (
    <Wizard walk={walk} busy={sending}>
      <Alert tone="caution" title={t('banner')} className="mb-5">
        <p>{t('bannerBody')}</p>
      </Alert>
      {screen === 'ask' && (
        <Question title={t('ask.title', { domain })}>
          {linkFor}
          <p className="text-lg">{t('ask.lead', { domain })}</p>
          <p>{t('ask.steps')}</p>
          <Actions>
            <StepLink to="call">{t('ask.start')}</StepLink>
          </Actions>
        </Question>
      )}
      {screen === 'call' && <Call request={practice} />}
      {screen === 'stop' && <Stop request={practice} />}
      {screen === 'words' && (
        <WordsScreen given={given} onType={(words) => setGiven((now) => typed(now, words))} onCheck={check} />
      )}
      {screen === 'key' && (
        <OpenKey
          beoId={beoId}
          beoDomain={domain}
          purpose="guardian"
          expectedKey={guardianKey}
          codes
          notice={linkFor}
          onOpened={(opened) => {
            setKey(opened);
            walk.next();
          }}
          heading="h1"
        />
      )}
      {screen === 'confirm' && (
        <SendStep
          title={t('confirm.title', { domain })}
          refused={<Refusal code={failure?.code ?? null} />}
          sending={sending}
          yes={t('confirm.yes')}
          busy={t('confirm.sending')}
          onSend={() => void confirm()}
          other={null}
        >
          <p>{t('confirm.real')}</p>
          <p className="font-semibold">{t('confirm.nothing')}</p>
        </SendStep>
      )}
      {screen === 'done' && (
        <Question title={t('done.title')}>
          <p className="text-lg">{t('done.lead', { domain })}</p>
          <p>{t('done.keep')}</p>
        </Question>
      )}
    </Wizard>
  );
}
