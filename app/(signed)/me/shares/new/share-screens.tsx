'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../../../../_ui/button.tsx';
import { EmptyState } from '../../../../_ui/empty-state.tsx';
import { LocalLink } from '../../../../_ui/local-link.tsx';
import type { ShareStep } from './share-draft.ts';
import { HowQuestion, type ShareQuestionProps, WhatQuestion, WhoQuestion } from './share-questions.tsx';
import { Review, type ReviewProps } from './share-review.tsx';

type ShareScreensProps = ShareQuestionProps &
  Pick<ReviewProps, 'making' | 'onReadAgain' | 'onMade'> & {
    screen: ShareStep;
    onOpen: (screen: ShareStep) => void;
  };

/** The screens that need the records. */
export function ShareScreens({ screen, making, onReadAgain, onMade, onOpen, ...asking }: ShareScreensProps) {
  const { draft, passcode, records } = asking;
  if (records.every(({ status }) => status !== 'ACTIVE')) return <NoRecords />;
  switch (screen) {
    case 'what':
      return <WhatQuestion {...asking} />;
    case 'who':
      return <WhoQuestion {...asking} />;
    case 'how':
      return <HowQuestion {...asking} />;
    case 'review':
      return (
        <Review
          draft={draft}
          passcode={passcode}
          records={records}
          making={making}
          onChange={onOpen}
          onReadAgain={onReadAgain}
          onMade={onMade}
        />
      );
  }
}

function NoRecords() {
  const t = useTranslations('shares');
  const records = useTranslations('records.empty');
  return (
    <>
      <h1 className="mb-4">{t('newTitle')}</h1>
      <EmptyState title={records('title')}>
        <p className="mx-auto max-w-form">{records('how')}</p>
        <Button asChild size="large">
          <LocalLink href="/me/consents/new">{records('give')}</LocalLink>
        </Button>
      </EmptyState>
    </>
  );
}
