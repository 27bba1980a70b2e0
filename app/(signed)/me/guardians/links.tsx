'use client';

import { Printer, UserRoundPlus } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { GUARDIAN_ROLES } from '../../../../protocol/entities/guardian.ts';
import type { Invitation } from '../../../../protocol/operation.ts';
import { Button } from '../../../_ui/button.tsx';
import { PassOnLink } from '../../../_ui/pass-on-link.tsx';
import { Actions, Question } from '../../../_ui/question.tsx';
import { When } from '../../../_ui/when.tsx';
import { StepLink } from '../../../_wizard/wizard.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { stepOf } from './guardian-screens.ts';
import { freePlace } from './status.ts';

/** The links of open invitations. Only this browser keeps them: the service does not store them. */
export function Links({
  links,
  domain,
  mails,
  known,
  guardiansStatus,
  focus,
  onDone,
}: Flow & { links: readonly Invitation[] }) {
  const t = useTranslations('myGuardians');
  const [first] = links;
  const free = freePlace(guardiansStatus);
  const nameOf = ({ role, guardian_id }: Invitation) => {
    const place = t(`place.${GUARDIAN_ROLES.find((known) => known === role) ?? 'primary'}`);
    const called = known.people.get(guardian_id)?.name;
    return called ? `${place} (${called})` : place;
  };
  return (
    <Question title={t('links.title', { count: links.length })} focus={focus}>
      <p className="text-lg">{t('links.once')}</p>
      {mails && <p>{t('links.mailed')}</p>}
      {links.map((link) => (
        <PassOnLink
          key={link.guardian_id}
          link={link.url}
          name={nameOf(link)}
          message={t('links.message', { domain })}
        />
      ))}
      {first && <p>{t.rich('links.until', { when: (end) => <When at={first.expires_at}>{end}</When> })}</p>}
      <h2 className="pt-2">{t('links.nextTitle')}</h2>
      <p>{t('links.next')}</p>
      <p>{t(guardiansStatus.onlyConfirmed ? 'links.confirm' : 'links.compare')}</p>
      <Actions>
        <Button size="large" onClick={() => onDone({ kind: 'passed' })}>
          {t('links.done')}
        </Button>
        {free && (
          <StepLink to={stepOf('invite', free.role)} look="secondary">
            <UserRoundPlus aria-hidden />
            {t('links.another')}
          </StepLink>
        )}
        <Button look="quiet" size="large" onClick={() => window.print()}>
          <Printer aria-hidden />
          {t('links.print')}
        </Button>
      </Actions>
    </Question>
  );
}
