'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { NumberedWords } from '../../_keys/numbered-words.tsx';
import { useWordList } from '../../_keys/word-list.ts';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { Actions } from '../../_ui/question.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { ScreenSkeleton, WordsSkeleton } from '../../_ui/skeletons.tsx';

const OpenKey = deferred(async () => (await import('../../_keys/open-key.tsx')).OpenKey, <ScreenSkeleton />);

type ShowWordsProps = {
  beoId: string;
  beoDomain: string;
  /** The key that accepted, hex. Its words are shown only to a person who can open it. */
  publicKey: string;
};

/** Shows the six words again in a browser that does not have the key, once it is opened. */
export function ShowWords({ beoId, beoDomain, publicKey }: ShowWordsProps) {
  const t = useTranslations('accept');
  const [step, setStep] = useState<'offered' | 'opening' | 'opened'>('offered');
  const words = useWordList()?.guardianWords(beoId, publicKey) ?? null;

  switch (step) {
    case 'offered':
      return (
        <div className="unscripted:hidden">
          <p>{t('used.words')}</p>
          <Actions>
            <Button look="secondary" size="large" onClick={() => setStep('opening')}>
              {t('used.show')}
            </Button>
          </Actions>
        </div>
      );
    case 'opening':
      return (
        <div className="pt-4">
          <OpenKey
            beoId={beoId}
            beoDomain={beoDomain}
            purpose="guardian"
            expectedKey={publicKey}
            codes
            onOpened={() => setStep('opened')}
          />
        </div>
      );
    case 'opened':
      return (
        <Screen title={t('done.words')} heading="h2" className="space-y-4 pt-4">
          <p>{t('done.wordsBody', { domain: beoDomain })}</p>
          <Card>
            {words ? (
              <NumberedWords words={words} label={t('done.words')} className="gap-x-6 text-lg sm:grid-cols-2" />
            ) : (
              <WordsSkeleton />
            )}
          </Card>
        </Screen>
      );
  }
}
