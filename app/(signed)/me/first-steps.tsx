'use client';

import { ChevronRight, HandHeart, ShieldCheck, Users } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { LocalLink } from '../../_ui/local-link.tsx';
import { TaskList } from './task-list.tsx';
import type { Task } from './tasks.ts';

/** The first steps of a new identity, below its urgent tasks. */
export function FirstSteps({ tasks, required }: { tasks: readonly Task[]; required: boolean }) {
  const t = useTranslations('overview.first');
  const steps = [
    ...(required ? [] : [{ name: 'require', href: '/me/guardians?step=require', icon: ShieldCheck } as const]),
    { name: 'guardians', href: '/me/guardians', icon: Users },
    { name: 'consent', href: GIVE_CONSENT, icon: HandHeart },
  ] as const;
  return (
    <section aria-labelledby="first-steps" className="space-y-4">
      <TaskList tasks={tasks} />
      <h2 id="first-steps">{t('title')}</h2>
      <ol className="grid gap-4 sm:grid-cols-2">
        {steps.map(({ name, href, icon: Icon }) => (
          <li key={name}>
            <LocalLink
              href={href}
              className="flex h-full items-start gap-4 rounded-lg border-2 border-edge bg-surface p-5 transition-colors duration-150 hover:border-ink hover:bg-sunken"
            >
              <Icon aria-hidden className="size-7 shrink-0 text-accent" />
              <span className="min-w-0 grow">
                <span className="block text-lg font-bold">{t(name)}</span>
                <span className="block text-muted">{t(`${name}Body`)}</span>
              </span>
              <ChevronRight aria-hidden className="mt-1 size-5 shrink-0 text-muted" />
            </LocalLink>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The page that grants a consent. */
export const GIVE_CONSENT = '/me/consents/new';
