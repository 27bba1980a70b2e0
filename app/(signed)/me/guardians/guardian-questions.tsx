'use client';

import { useTranslations } from 'use-intl/react';
import { When } from '../../../_ui/when.tsx';
import { Decision } from './decision.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { type Place, without } from './status.ts';

type QuestionProps = Flow & {
  /** How many other guardians get a new link because of the change. */
  links: number;
  onYes: () => void;
};

/** Removes a guardian, or withdraws an invitation. */
export function AskRemove(props: QuestionProps & { place: Place }) {
  const { place, view, guardiansStatus, who, links } = props;
  const t = useTranslations('myGuardians.remove');
  const { guardian, state, eligible } = place;
  const pending = state === 'invited';
  const after = guardian && without(view.recovery, guardian, guardiansStatus.onlyConfirmed);
  return (
    <Decision
      {...props}
      title={t(pending ? 'withdrawTitle' : 'title', who(place))}
      yes={t(pending ? 'yesWithdraw' : 'yes')}
      busy={t('sending')}
      no={t('no')}
    >
      {pending && <p className="text-lg">{t('withdrawn')}</p>}
      {!pending && eligible && (
        <>
          <p className="text-lg font-semibold">{t('grace')}</p>
          <p>{t('graceWhy')}</p>
        </>
      )}
      {!pending && !eligible && (
        <p className="text-lg">{t(guardiansStatus.readiness === 'off' ? 'off' : 'unconfirmed')}</p>
      )}
      {after && !pending && <p>{t(`after.${after.readiness}`)}</p>}
      {!pending && <p>{t('tell')}</p>}
      {links > 0 && <p>{t('links', { count: links })}</p>}
      <p>{t('public')}</p>
    </Decision>
  );
}

/** Replaces an invitation by a new one; the old link stops working. */
export function AskReinvite(props: QuestionProps & { place: Place }) {
  const { place, who, links } = props;
  const t = useTranslations('myGuardians');
  return (
    <Decision
      {...props}
      title={t('newLink.title', who(place))}
      yes={t('newLink.yes')}
      busy={t('newLink.sending')}
      no={t('remove.no')}
    >
      <p className="text-lg">{t('newLink.old')}</p>
      {links > 0 && <p>{t('remove.links', { count: links })}</p>}
      <p>{t.rich('newLink.wait', { when: (end) => <When at={place.ends ?? ''}>{end}</When> })}</p>
    </Decision>
  );
}

/** Turns recovery on again. */
export function AskEnable(props: QuestionProps) {
  const { links } = props;
  const t = useTranslations('myGuardians');
  return (
    <Decision {...props} title={t('enable.title')} yes={t('enable.yes')} busy={t('enable.sending')} no={t('remove.no')}>
      <p className="text-lg">{t('enable.lead')}</p>
      {links > 0 && <p>{t('remove.links', { count: links })}</p>}
      <p>{t('remove.public')}</p>
    </Decision>
  );
}

/** Requires confirmed guardians permanently: what that does, and what it cannot do. */
export function AskRequireConfirmed(props: Flow) {
  const { beoId, guardiansStatus, sending, onDone } = props;
  const t = useTranslations('myGuardians.require');
  const newlyIneligible = guardiansStatus.places.filter(
    ({ state, eligible }) => state === 'accepted' && eligible,
  ).length;

  const onYes = () => {
    void sending.send('requireConfirmedGuardians', { beoId }, () => onDone({ kind: 'required' }));
  };

  return (
    <Decision {...props} title={t('title')} yes={t('yes')} busy={t('sending')} no={t('no')} onYes={onYes}>
      <p className="text-lg">{t('lead')}</p>
      <p>{t('why')}</p>
      {newlyIneligible > 0 && <p className="font-semibold">{t('stop', { count: newlyIneligible })}</p>}
      <h2 className="pt-2">{t('limitTitle')}</h2>
      <p>{t('limit')}</p>
      <p className="font-semibold">{t('public')}</p>
    </Decision>
  );
}
