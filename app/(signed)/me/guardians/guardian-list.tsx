'use client';

import { clsx } from 'clsx';
import { Eye, ShieldCheck, UserRound, UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import type { BeoView } from '../../../../protocol/entities/beo.ts';
import type { GuardianRole } from '../../../../protocol/entities/guardian.ts';
import type { Invitation } from '../../../../protocol/operation.ts';
import { useSession } from '../../../_session/session.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { ShieldClosing } from '../../../_ui/pictures/shield-closing.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { initialsOf, Shields } from '../../../_ui/shields.tsx';
import { StateBadge } from '../../../_ui/state-badge.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';
import { When } from '../../../_ui/when.tsx';
import { StepLink } from '../../../_wizard/wizard.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { stepOf } from './guardian-screens.ts';
import { lastChecked } from './last-checked.ts';
import { canPractise, freePlace, type GuardiansStatus, type GuardianView, type Place, shieldOf } from './status.ts';

type GuardianListProps = Flow & {
  /** Reports what has just been done. */
  message: string | null;
  /** Whether a guardian has just been confirmed. */
  hasConfirmed: boolean;
  /** The links of open invitations that this browser has. */
  links: readonly Invitation[];
  locked: boolean;
  request: BeoView['active_recovery'];
};

/** The guardians and their status. */
export function GuardianList(props: GuardianListProps) {
  const t = useTranslations('myGuardians');
  const { guardiansStatus, focus, message, hasConfirmed, locked, request } = props;
  const free = freePlace(guardiansStatus);
  const taken = guardiansStatus.places.filter(({ state }) => state !== 'free');
  const hasGuardians = taken.length + guardiansStatus.leaving.length > 0;
  return (
    <Screen title={t('title')} heading="h1" focus={focus} className="max-w-prose space-y-5 pb-12">
      <p className="text-lg">{t('lead')}</p>
      {message && <Done message={message} withPicture={hasConfirmed} />}
      {request && (
        <Alert tone="danger" title={t('underway.title')}>
          <div className="mt-2">
            <StepLink to="request" look="secondary">
              {t('underway.action')}
            </StepLink>
          </div>
        </Alert>
      )}
      {locked && (
        <Alert tone="caution" title={t('locked.title')}>
          <p>{t('locked.body')}</p>
        </Alert>
      )}
      <Readiness guardiansStatus={guardiansStatus} known={props.known}>
        {guardiansStatus.readiness === 'off' && !locked && (
          <div className="mt-3">
            <StepLink to="enable">{t('enableAction')}</StepLink>
          </div>
        )}
      </Readiness>
      {hasGuardians ? <h2 className="pt-2">{t('list')}</h2> : <HowItWorks guardiansStatus={guardiansStatus} />}
      {hasGuardians && (
        <ul className="space-y-3">
          {taken.map((place) => (
            <li key={place.role}>
              <PlaceCard {...props} place={place} />
            </li>
          ))}
          {guardiansStatus.leaving.map((guardian) => (
            <li key={guardian.guardian_id}>
              <Leaving guardian={guardian} known={props.known} />
            </li>
          ))}
        </ul>
      )}
      {!locked && free && (
        <div className="flex flex-col sm:items-start">
          <StepLink
            to={stepOf('invite', free.role)}
            look={taken.some(({ state }) => state === 'accepted') ? 'secondary' : 'primary'}
          >
            <UserRoundPlus aria-hidden />
            {t('action.invite')}
          </StepLink>
        </div>
      )}
      {!free && <p>{t('full')}</p>}
      {hasGuardians && <Names known={props.known} />}
      <OnlyConfirmed guardiansStatus={guardiansStatus} locked={locked} />
      {canPractise(guardiansStatus) && (
        <Card className="space-y-3">
          <h2>{t('practise.title')}</h2>
          <p>{t('practise.offer')}</p>
          <div className="flex flex-col sm:items-start">
            <StepLink to="practise" look="secondary">
              {t('practise.see')}
            </StepLink>
          </div>
        </Card>
      )}
      <p>
        <LocalLink href="/guardian" className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('guarding')}
        </LocalLink>
      </p>
    </Screen>
  );
}

/** What has just been done; for a confirmation, its shield closes. */
function Done({ message, withPicture }: { message: string; withPicture: boolean }) {
  const text = <p className="text-lg font-semibold text-accent-ink">{message}</p>;
  if (!withPicture) return text;
  return (
    <Card className="flex flex-wrap items-center gap-x-8 gap-y-3">
      <ShieldClosing className="w-44" />
      {text}
    </Card>
  );
}

/** Explains that only the holder's key can read the names, and lets the holder open it. */
function Names({ known }: Pick<Flow, 'known'>) {
  const t = useTranslations('myGuardians.names');
  const { isOpen } = useSession();
  return (
    <div className="space-y-2">
      <p className="text-sm text-muted">{t(isOpen ? 'open' : 'closed')}</p>
      <Refused failure={known.failure} />
      {(!isOpen || known.failure) && (
        <Button look="secondary" onClick={known.show} disabled={known.isReading}>
          <Eye aria-hidden />
          {t('show')}
        </Button>
      )}
    </div>
  );
}

/** Whether unconfirmed guardians are eligible, and the link to rule that out. */
function OnlyConfirmed({ guardiansStatus, locked }: Pick<GuardianListProps, 'guardiansStatus' | 'locked'>) {
  const t = useTranslations('myGuardians.require');
  if (guardiansStatus.required) {
    return (
      <p className="flex gap-3">
        <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
        {t('on')}
      </p>
    );
  }
  return (
    <Card className="space-y-3">
      <h2>{t('offer')}</h2>
      <p>{t('offerBody')}</p>
      {!locked && (
        <div className="flex flex-col sm:items-start">
          <StepLink to="require" look="secondary">
            {t('see')}
          </StepLink>
        </div>
      )}
    </Card>
  );
}

/** The empty state without guardians. */
function HowItWorks({ guardiansStatus }: Pick<Flow, 'guardiansStatus'>) {
  const t = useTranslations('myGuardians.how');
  return (
    <section className="space-y-3">
      <h2 className="pt-2">{t('title')}</h2>
      <ol className="list-decimal space-y-2 pl-6 marker:font-bold">
        <li>{t('invite')}</li>
        <li>{t('accept')}</li>
        <li>{t('compare')}</li>
        {guardiansStatus.onlyConfirmed && <li>{t('confirm')}</li>}
      </ol>
      <p>{t('number')}</p>
    </section>
  );
}

const LOOKS = {
  off: 'border-danger-edge bg-danger-soft text-danger-ink',
  none: 'border-caution-edge bg-caution-soft text-caution-ink',
  one: 'border-caution-edge bg-caution-soft text-caution-ink',
  two: 'border-accent bg-accent-soft text-ink',
  three: 'border-accent bg-accent-soft text-ink',
};

type ReadinessProps = Pick<Flow, 'known'> & { guardiansStatus: GuardiansStatus; children: ReactNode };

/** What would happen if the key were lost now. */
function Readiness({ guardiansStatus, known, children }: ReadinessProps) {
  const t = useTranslations('myGuardians');
  const locale = useLocale();
  const { readiness, onlyConfirmed, places, eligibleCount } = guardiansStatus;
  const asserted = places.some(({ state, eligible }) => state === 'accepted' && eligible);
  const waits = onlyConfirmed && places.some(({ state }) => state === 'accepted');
  return (
    <section
      className={clsx('flex flex-wrap gap-x-6 gap-y-3 rounded-lg border-2 p-5 sm:flex-nowrap sm:p-6', LOOKS[readiness])}
    >
      <Shields
        states={places.map(shieldOf)}
        initials={places.map(({ guardian }) =>
          initialsOf(known.people.get(guardian?.guardian_id ?? '')?.name ?? '', locale),
        )}
        label={t('readiness.picture', { count: eligibleCount, total: places.length })}
        className="sm:shrink-0"
      />
      <div className="min-w-0 space-y-1">
        <h2>{t(`readiness.${readiness}.title`)}</h2>
        <p>{t(`readiness.${readiness}.body`)}</p>
        {asserted && <p>{t('readiness.asserted')}</p>}
        {waits && <p>{t('readiness.onlyConfirmed')}</p>}
        {children}
      </div>
    </section>
  );
}

function PlaceCard({ place, guardiansStatus, nameOf, known, locked, links }: GuardianListProps & { place: Place }) {
  const t = useTranslations('myGuardians');
  const contact = known.people.get(place.guardian?.guardian_id ?? '')?.contact;
  const { role, state, guardian } = place;
  const dates = useDates();
  const attested = known.attested.get(guardian?.guardian_id ?? '');
  const checked = attested === undefined ? null : lastChecked(attested.on, guardian?.accepted_at ?? null, Date.now());
  const hiddenName = <span className="sr-only">({nameOf(place)})</span>;
  const to = (kind: Parameters<typeof stepOf>[0]) => stepOf(kind, role);
  return (
    <Card className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="flex min-w-0 items-center gap-3 text-lg">
          <UserRound aria-hidden className="size-6 shrink-0 text-muted" />
          <span className="min-w-0 break-words">{nameOf(place)}</span>
        </h3>
        <StateBadge state={state} />
      </div>
      {contact && <p className="break-words text-muted">{t('contact', { contact })}</p>}
      <StateText place={place} off={guardiansStatus.readiness === 'off'} />
      {checked && (
        <p className={checked.isLong ? 'font-semibold text-caution-ink' : undefined}>
          {t(checked.isLong ? 'checked.long' : 'checked.recent', { day: dates.day(checked.at) })}
        </p>
      )}
      {!locked && (
        <div className="flex flex-col gap-3 pt-1 sm:flex-row sm:flex-wrap">
          {state === 'accepted' && (
            <StepLink to={to('call')}>
              {t('action.confirm')}
              {hiddenName}
            </StepLink>
          )}
          {links.some(({ guardian_id }) => guardian_id === place.guardian?.guardian_id) && (
            <StepLink to="links">
              {t('action.showLink')}
              {hiddenName}
            </StepLink>
          )}
          {state === 'lapsed' && (
            <StepLink to={to('invite')} look="secondary">
              {t('action.inviteAgain')}
              {hiddenName}
            </StepLink>
          )}
          {state === 'invited' && (
            <StepLink to={to('reinvite')} look="secondary">
              {t('action.newLink')}
              {hiddenName}
            </StepLink>
          )}
          {checked && (
            <StepLink to={to('ask')} look={checked.isLong ? 'primary' : 'secondary'}>
              {t('action.ask')}
              {hiddenName}
            </StepLink>
          )}
          {state !== 'lapsed' && (
            <StepLink to={to('remove')} look={state === 'confirmed' ? 'secondary' : 'quiet'}>
              {state === 'invited' ? t('action.withdraw') : t('action.remove')}
              {hiddenName}
            </StepLink>
          )}
        </div>
      )}
    </Card>
  );
}

function StateText({ place: { state, guardian, eligible, ends }, off }: { place: Place; off: boolean }) {
  const t = useTranslations('myGuardians.status');
  if (state === 'free' || state === 'lapsed') return <p>{t(state)}</p>;
  if (state === 'confirmed') return <p>{off ? t('confirmedOff') : t('confirmed')}</p>;
  const at = state === 'invited' ? ends : guardian?.accepted_at;
  const sentence = state === 'invited' ? 'invited' : eligible ? 'acceptedEligible' : 'accepted';
  return <p>{t.rich(sentence, { when: (end) => <When at={at ?? ''}>{end}</When> })}</p>;
}

type LeavingProps = { guardian: GuardianView; known: Flow['known'] };

/** A removed guardian who is still eligible. */
function Leaving({ guardian: { guardian_id, role }, known }: LeavingProps) {
  const t = useTranslations('myGuardians');
  const name = known.people.get(guardian_id)?.name;
  const number = t(`place.${role satisfies GuardianRole}`);
  return (
    <Card className="space-y-2 border-dashed">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-lg break-words text-muted">{name ? `${number} (${name})` : number}</h3>
        <StateBadge state="removed" />
      </div>
      <p className="text-muted">{t('status.removed')}</p>
    </Card>
  );
}
