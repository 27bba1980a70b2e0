'use client';

import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { GiveConsent } from '../../_ui/pictures/give-consent.tsx';
import { Recover } from '../../_ui/pictures/recover.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { TaskList } from './task-list.tsx';
import type { NextStep, Task } from './tasks.ts';

/** The page that grants a consent. */
export const GIVE_CONSENT = '/me/consents/new';

const STEPS = {
  guardians: { Picture: Recover, href: '/me/guardians' },
  third: { Picture: Recover, href: '/me/guardians' },
  practise: { Picture: Recover, href: '/me/guardians?step=practise' },
  consent: { Picture: GiveConsent, href: GIVE_CONSENT },
  alerts: { Picture: Recover, href: '/me/alerts' },
} as const satisfies Record<NextStep, object>;

/** The one step that is useful now. */
export function NextStepCard({ step, children }: { step: NextStep; children?: ReactNode }) {
  const t = useTranslations('overview.next');
  const safety = useTranslations('safety');
  const { Picture, href } = STEPS[step];
  return (
    <section aria-labelledby="next-step" className="space-y-4">
      <h2 id="next-step">{t('title')}</h2>
      <Card className="grid max-w-prose gap-x-8 gap-y-5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-center">
        <Picture className="w-40" />
        <div className="space-y-3">
          <h3>{t(`${step}.title`)}</h3>
          <p>{step === 'alerts' ? safety('alerts.what') : t(`${step}.body`)}</p>
          <Button asChild>
            <LocalLink href={href}>
              {t(`${step}.action`)}
              <ArrowRight aria-hidden />
            </LocalLink>
          </Button>
        </div>
      </Card>
      {children}
    </section>
  );
}

/** The next step of a new identity, below its urgent tasks, and what else can be done first. */
export function FirstSteps({ tasks, required }: { tasks: readonly Task[]; required: boolean }) {
  const t = useTranslations('overview.next.others');
  const others = [
    ...(required ? [] : [{ name: 'require', href: '/me/guardians?step=require' } as const]),
    { name: 'consent', href: GIVE_CONSENT },
  ] as const;
  return (
    <div className="space-y-4">
      <TaskList tasks={tasks} />
      <NextStepCard step="guardians">
        <ul className="max-w-prose space-y-1">
          {others.map(({ name, href }) => (
            <li key={name}>
              <LocalLink href={href} className={`${textLink} inline-flex min-h-11 items-center`}>
                {t(name)}
              </LocalLink>
              <span className="block text-muted">{t(`${name}Body`)}</span>
            </li>
          ))}
        </ul>
      </NextStepCard>
    </div>
  );
}
