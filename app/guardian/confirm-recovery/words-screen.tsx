'use client';

import { type FormEvent, useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../../_i18n/use-formats.ts';
import { WordFields } from '../../_keys/word-fields.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Actions, Question, Scripted } from '../../_ui/question.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { StepLink } from '../../_wizard/wizard.tsx';
import { advisesToStop, type TypedWords, type WordsProblem } from './confirm-flow.ts';

type WordsScreenProps = {
  given: TypedWords;
  onType: (words: string[]) => void;
  onCheck: () => void;
};

/** Asks for the words that the holder reads out. The page never shows them: they must come from the holder. */
export function WordsScreen({ given, onType, onCheck }: WordsScreenProps) {
  const t = useTranslations('confirm.words');
  const doubt = useTranslations('confirm')('doubt');
  const id = useId();
  const { words, problem } = given;
  const isStopAdvised = advisesToStop(given);
  const ready = useBrowser();
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const [first] = problem?.wrong ?? [];
    if (first !== undefined) form.current?.querySelectorAll('input')[first]?.focus();
  }, [problem]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onCheck();
  };

  return (
    <Question title={t('title')}>
      <p>{t('hint')}</p>
      <Scripted>
        <form ref={form} onSubmit={submit} noValidate className="space-y-4">
          <WordFields
            words={words}
            onChange={onType}
            label={t('title')}
            labelOf={(index) => t('label', { number: index + 1 })}
            disabled={!ready}
            wrong={problem?.wrong ?? []}
            errorId={problem ? `${id}-problem` : undefined}
          />
          <div role="alert" id={`${id}-problem`}>
            {problem && <Problem problem={problem} isStopAdvised={isStopAdvised} />}
          </div>
          <Actions>
            {isStopAdvised && <StepLink to="stop">{t('stop')}</StepLink>}
            <Button type="submit" size="large" disabled={!ready} look={isStopAdvised ? 'secondary' : 'primary'}>
              {t('check')}
            </Button>
            {!isStopAdvised && (
              <StepLink to="stop" look="quiet">
                {doubt}
              </StepLink>
            )}
          </Actions>
        </form>
      </Scripted>
    </Question>
  );
}

function Problem({ problem: { kind, wrong }, isStopAdvised }: { problem: WordsProblem; isStopAdvised: boolean }) {
  const t = useTranslations('confirm.words');
  const format = useFormats();
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
      return isStopAdvised ? (
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
