'use client';

import { type FormEvent, useEffect, useId, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl/react';
import { WordFields } from '../../_keys/word-fields.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { useBrowser } from '../../_ui/now.ts';
import { Actions, Question, Scripted, StepLink } from '../../_ui/question.tsx';
import { isHopeless, type Progress, type WordsVerdict } from './progress.ts';
import type { Shown } from './screens.tsx';

type SixWordsProps = Shown & { progress: Progress; onType: (words: string[]) => void; onCheck: () => void };

/** The words as the guardian hears them. The page never shows the right ones: they must come from the person. */
export function SixWords({ steps, focus, progress, onType, onCheck }: SixWordsProps) {
  const t = useTranslations('confirm.words');
  const doubt = useTranslations('confirm')('doubt');
  const id = useId();
  const { words, verdict } = progress;
  const hopeless = isHopeless(progress);
  const ready = useBrowser();
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const [first] = verdict?.wrong ?? [];
    if (first !== undefined) form.current?.querySelectorAll('input')[first]?.focus();
  }, [verdict]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCheck();
  };

  return (
    <Question title={t('title')} focus={focus}>
      <p>{t('hint')}</p>
      <Scripted>
        <form ref={form} onSubmit={submit} noValidate className="space-y-4">
          <WordFields
            words={words}
            onChange={onType}
            label={t('title')}
            labelOf={(index) => t('label', { number: index + 1 })}
            disabled={!ready}
            wrong={verdict?.wrong ?? []}
            errorId={verdict ? `${id}-verdict` : undefined}
          />
          <div role="alert" id={`${id}-verdict`}>
            {verdict && <Verdict verdict={verdict} hopeless={hopeless} />}
          </div>
          <Actions>
            {hopeless && (
              <StepLink steps={steps} to="stop">
                {t('stop')}
              </StepLink>
            )}
            <Button type="submit" size="large" disabled={!ready} look={hopeless ? 'secondary' : 'primary'}>
              {t('check')}
            </Button>
            {!hopeless && (
              <StepLink steps={steps} to="stop" look="quiet">
                {doubt}
              </StepLink>
            )}
          </Actions>
        </form>
      </Scripted>
    </Question>
  );
}

function Verdict({ verdict: { kind, wrong }, hopeless }: { verdict: WordsVerdict; hopeless: boolean }) {
  const t = useTranslations('confirm.words');
  const format = useFormatter();
  switch (kind) {
    case 'missing':
      return <Alert tone="caution">{t('missing')}</Alert>;
    case 'unchecked':
      return <Alert tone="caution">{t('failed')}</Alert>;
    case 'unlisted': {
      const numbers = format.list(wrong.map((index) => String(index + 1)));
      return <Alert tone="caution">{t('unlisted', { count: wrong.length, numbers })}</Alert>;
    }
    case 'mismatch':
      return hopeless ? (
        <Alert tone="danger" title={t('stop')}>
          <p>{t('stopBody')}</p>
        </Alert>
      ) : (
        <Alert tone="caution" title={t('mismatch')}>
          <p>{t('slip')}</p>
          <p className="mt-2">{t('notTheirs')}</p>
        </Alert>
      );
  }
}
