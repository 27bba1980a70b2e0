'use client';

import {
  CircleAlert,
  CircleCheck,
  Clock,
  Eye,
  HandHelping,
  Hourglass,
  KeyRound,
  Lock,
  type LucideIcon,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CertificationMarkOf } from '../../_trpc/certification-mark-of.tsx';
import { Button } from '../../_ui/button.tsx';
import { Matter, Matters, type MatterTone } from '../../_ui/matter.tsx';
import { When } from '../../_ui/when.tsx';
import { stepOf } from './guardians/guardian-screens.ts';
import type { Task } from './tasks.ts';
import { useGranteeNames } from './use-grantee-names.ts';

const SHOWN_FIRST = 5;

/** The tasks of a holder, the most urgent first, each with its action. */
export function Tasks({ tasks }: { tasks: readonly Task[] }) {
  const t = useTranslations('overview');
  const [all, setAll] = useState(false);
  const shown = all ? tasks : tasks.slice(0, SHOWN_FIRST);
  const left = tasks.length - shown.length;
  return (
    <section aria-labelledby="matters" className="max-w-prose space-y-4">
      <h2 id="matters">{t('matters')}</h2>
      {tasks.length === 0 ? (
        <p className="flex items-center gap-3 rounded-lg border border-line bg-surface p-5 text-lg">
          <CircleCheck aria-hidden className="size-7 shrink-0 text-accent" />
          {t('calm')}
        </p>
      ) : (
        <TaskList tasks={shown} />
      )}
      {left > 0 && (
        <Button look="secondary" onClick={() => setAll(true)}>
          {t('mattersMore', { count: left })}
        </Button>
      )}
    </section>
  );
}

/** Renders nothing without tasks. */
export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  const consents = tasks.flatMap((task) => ('consent' in task ? [task.consent] : []));
  const nameOf = useGranteeNames(consents);
  if (tasks.length === 0) return null;
  return (
    <Matters>
      {tasks.map((task) => (
        <TaskItem key={keyOf(task)} task={task} name={'consent' in task ? nameOf(task.consent) : ''} />
      ))}
    </Matters>
  );
}

const keyOf = (task: Task): string =>
  `${task.kind} ${'consent' in task ? task.consent.token_id : 'role' in task ? task.role : ''}`;

const ICONS = {
  recovery: CircleAlert,
  locked: Lock,
  confirm: HandHelping,
  unready: Users,
  require: ShieldCheck,
  unchecked: KeyRound,
  linkEnds: Hourglass,
  lapsed: Clock,
  consentEnds: Clock,
  wide: Eye,
} satisfies Record<Task['kind'], LucideIcon>;

const TONES = {
  recovery: 'danger',
  locked: 'caution',
  confirm: 'caution',
  unready: 'caution',
  require: 'caution',
  unchecked: 'caution',
  linkEnds: 'muted',
  lapsed: 'muted',
  consentEnds: 'muted',
  wide: 'muted',
} satisfies Record<Task['kind'], MatterTone>;

function TaskItem({ task, name }: { task: Task; name: string }) {
  const { title, body, action, href } = useSaid(task, name);
  const mark = 'consent' in task && task.consent.ieo_id !== task.consent.beo_id && (
    <CertificationMarkOf id={task.consent.ieo_id} />
  );
  return (
    <Matter icon={ICONS[task.kind]} tone={TONES[task.kind]} title={title} mark={mark} action={action} href={href}>
      {body}
    </Matter>
  );
}

interface Said {
  readonly title: ReactNode;
  readonly body: ReactNode;
  readonly action: string;
  readonly href: string;
}

function useSaid(task: Task, name: string): Said {
  const t = useTranslations('overview.matter');
  const guardians = (step: string) => `/me/guardians?step=${step}`;
  const ends = (at: string) => ({ when: (end: ReactNode) => <When at={at}>{end}</When> });
  switch (task.kind) {
    case 'recovery':
      return {
        title: t('recovery.title'),
        body: t.rich('recovery.body', { missing: task.missing, ...ends(task.ends) }),
        action: t('recovery.action'),
        href: guardians('request'),
      };
    case 'locked':
      return {
        title: t('locked.title'),
        body: task.since && t.rich('locked.body', ends(task.since)),
        action: t('locked.action'),
        href: '/me/safety',
      };
    case 'confirm':
    case 'unchecked': {
      const [first] = task.roles;
      const count = task.roles.length;
      const step = task.kind === 'confirm' ? 'call' : 'ask';
      return {
        title: t(`${task.kind}.title`, { count }),
        body: t(`${task.kind}.body`, { count }),
        action: t(`${task.kind}.action`),
        href: first && count === 1 ? guardians(stepOf(step, first)) : '/me/guardians',
      };
    }
    case 'unready':
      return {
        title: t(`unready.${task.readiness}`),
        body: t('unready.body', { readiness: task.readiness }),
        action: t('unready.action'),
        href: '/me/guardians',
      };
    case 'require':
      return {
        title: t('require.title'),
        body: t('require.body'),
        action: t('require.action'),
        href: guardians('require'),
      };
    case 'linkEnds':
      return {
        title: t('linkEnds.title'),
        body: t.rich('linkEnds.body', { role: task.role, ...ends(task.ends) }),
        action: t('linkEnds.action'),
        href: '/me/guardians',
      };
    case 'lapsed':
      return {
        title: t('lapsed.title'),
        body: t('lapsed.body', { role: task.role }),
        action: t('lapsed.action'),
        href: guardians(stepOf('invite', task.role)),
      };
    case 'consentEnds':
      return {
        title: t('consentEnds.title', { name }),
        body: t.rich('consentEnds.body', ends(task.ends)),
        action: t('consentEnds.action'),
        href: consentHref(task.consent.token_id),
      };
    case 'wide':
      return {
        title: t('wide.title', { name }),
        body: t('wide.body'),
        action: t('wide.action'),
        href: consentHref(task.consent.token_id),
      };
  }
}

const consentHref = (tokenId: string): string => `/me/consents/${tokenId}`;
