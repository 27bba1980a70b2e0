'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { NumberedWords } from '../../../_keys/numbered-words.tsx';
import { useWordList } from '../../../_keys/word-list.ts';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Actions, Question } from '../../../_ui/question.tsx';
import { WordsSkeleton } from '../../../_ui/skeletons.tsx';
import { When } from '../../../_ui/when.tsx';
import { StepLink } from '../../../_wizard/wizard.tsx';
import { Decision } from './decision.tsx';
import type { Compared, Flow } from './guardian-screen-props.ts';
import { stepOf } from './guardian-screens.ts';
import type { Place } from './status.ts';

type PlaceProps = Flow & { place: Place };

const bold = (chunks: ReactNode) => <strong>{chunks}</strong>;

/** Asks the holder to call the guardian, and tells them which words to ask for. */
export function Call({ place, who, focus }: PlaceProps) {
  const t = useTranslations('myGuardians.call');
  const { role, guardian } = place;
  return (
    <Question title={t('title', who(place))} focus={focus}>
      <p className="text-lg">
        {t.rich('lead', { when: (end) => <When at={guardian?.accepted_at ?? ''}>{end}</When> })}
      </p>
      <ol className="list-decimal space-y-3 pl-6 marker:font-bold">
        <li>{t.rich('number', { b: bold })}</li>
        <li>{t.rich('voice', { b: bold })}</li>
        <li>{t.rich('words', { b: bold })}</li>
      </ol>
      <Actions>
        <StepLink to={stepOf('compare', role)}>{t('ready')}</StepLink>
        <StepLink to="list" look="secondary">
          {t('later')}
        </StepLink>
      </Actions>
      <p className="pt-2 text-muted">{t('gone')}</p>
    </Question>
  );
}

/** The words of the key that this guardian registered, according to the service. */
export function Compare({ place, beoId, steps, focus, onCompared }: PlaceProps) {
  const t = useTranslations('myGuardians.compare');
  const { role, guardian } = place;
  const list = useWordList();
  const words = list && guardian?.public_key ? list.guardianWords(beoId, guardian.public_key) : null;

  const same = () => {
    if (!guardian?.public_key) return;
    onCompared({ guardianId: guardian.guardian_id, publicKey: guardian.public_key });
    steps.go(stepOf('confirm', role));
  };

  return (
    <Question title={t('title')} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      <Card>
        {words ? (
          <NumberedWords words={words} label={t('label')} className="gap-x-8 text-xl sm:grid-cols-2" />
        ) : (
          <WordsSkeleton />
        )}
      </Card>
      <p className="text-muted">{t('english')}</p>
      {words && (
        <Actions>
          <Button look="secondary" size="large" onClick={same}>
            {t('same')}
          </Button>
          <StepLink to={stepOf('differ', role)} look="secondary">
            {t('different')}
          </StepLink>
        </Actions>
      )}
    </Question>
  );
}

type ConfirmProps = PlaceProps & { compared: Compared };

/** The only one of these screens that sends a request. */
export function Confirm(props: ConfirmProps) {
  const { place, compared, beoId, guardiansStatus, who, sending, onDone } = props;
  const t = useTranslations('myGuardians.confirm');
  const others = guardiansStatus.places.filter(({ state, role }) => state === 'accepted' && role !== place.role).length;

  const confirm = () => {
    void sending.send('confirmGuardian', { beoId, ...compared }, () => onDone({ kind: 'confirmed', who: who(place) }));
  };

  return (
    <Decision {...props} title={t('title', who(place))} yes={t('yes')} busy={t('sending')} no={t('no')} onYes={confirm}>
      <p className="text-lg">{t('lead')}</p>
      {!guardiansStatus.onlyConfirmed && <p>{t('first', { others })}</p>}
      <p>{t('public')}</p>
    </Decision>
  );
}

/** The words differ: what to check, and what to do then. */
export function Differ({ place, domain, focus }: PlaceProps) {
  const t = useTranslations('myGuardians.differ');
  const { role } = place;
  return (
    <Question title={t('title')} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      <h2 className="pt-2">{t('first')}</h2>
      <ul className="list-disc space-y-1 pl-6">
        <li>{t('page', { domain })}</li>
        <li>{t('order')}</li>
      </ul>
      <Actions>
        <StepLink to={stepOf('compare', role)} look="secondary">
          {t('again')}
        </StepLink>
      </Actions>
      <h2 className="pt-2">{t('stillTitle')}</h2>
      <Alert tone="caution">
        <p>{t('still')}</p>
      </Alert>
      <Actions>
        <StepLink to={stepOf('remove', role)}>{t('remove')}</StepLink>
      </Actions>
    </Question>
  );
}
