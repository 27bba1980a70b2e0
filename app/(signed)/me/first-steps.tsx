'use client';

import { ArrowRight } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Recover } from '../../_ui/pictures/recover.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { TaskList } from './task-list.tsx';
import type { Task } from './tasks.ts';

/** The next step of a new identity, below its urgent tasks, and what else can be done first. */
export function FirstSteps({ tasks, required }: { tasks: readonly Task[]; required: boolean }) {
  const t = useTranslations('overview.first');
  const others = [
    ...(required ? [] : [{ name: 'require', href: '/me/guardians?step=require' } as const]),
    { name: 'consent', href: GIVE_CONSENT },
  ] as const;
  return (
    <section aria-labelledby="first-steps" className="space-y-4">
      <TaskList tasks={tasks} />
      <h2 id="first-steps">{t('title')}</h2>
      <Card className="grid max-w-prose gap-x-8 gap-y-5 sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-center">
        <Recover className="w-40" />
        <div className="space-y-3">
          <h3>{t('guardians')}</h3>
          <p>{t('guardiansBody')}</p>
          <Button asChild>
            <LocalLink href="/me/guardians">
              {t('guardiansAction')}
              <ArrowRight aria-hidden />
            </LocalLink>
          </Button>
        </div>
      </Card>
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
    </section>
  );
}

/** The page that grants a consent. */
export const GIVE_CONSENT = '/me/consents/new';
