'use client';

import { Eye, Layers } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../_session/current.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { pageOf } from '../../_ui/explore-address.ts';
import { NavCard } from '../../_ui/nav-card.tsx';
import { useNow } from '../../_ui/now.ts';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { IfWrong } from '../_safety/if-wrong.tsx';
import { useConsents } from './consents/use-consents.ts';
import { ConsentsCard } from './consents-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { useGuardiansStatus } from './guardians/use-guardian-status.ts';
import { RecoveryCard } from './recovery-card.tsx';
import { Tasks } from './task-list.tsx';
import { isNew, type Task, tasksOf } from './tasks.ts';

/** The tasks that the first steps cover. */
const IN_FIRST_STEPS: ReadonlySet<Task['kind']> = new Set(['unready', 'require']);

/** The first page of a holder: tasks, then the status of everything. */
export function Overview({ renderedAt }: { renderedAt: string }) {
  const t = useTranslations('overview');
  const { view, kept } = useHolder();
  const guardiansStatus = useGuardiansStatus();
  const { consents, complete, failure } = useConsents(kept.id);
  const now = useNow(renderedAt);
  const ended = view.status === 'DESTROYED';
  const facts = guardiansStatus && { view, keptKey: kept.publicKey, guardiansStatus, consents, now };
  const showFirstSteps = facts !== null && complete && isNew(facts);
  return (
    <div className="space-y-8 pb-12">
      <h1>{t('title')}</h1>
      {failure && (
        <Alert tone="caution">
          <p role="status">{t('unknown')}</p>
        </Alert>
      )}
      {!ended && showFirstSteps && (
        <FirstSteps
          tasks={tasksOf(facts).filter(({ kind }) => !IN_FIRST_STEPS.has(kind))}
          required={facts.guardiansStatus.required}
        />
      )}
      {!ended &&
        !showFirstSteps &&
        (facts && (complete || failure) ? <Tasks tasks={tasksOf(facts)} /> : <RowsSkeleton rows={2} />)}
      {!ended && !showFirstSteps && (
        <div className="grid gap-6 lg:grid-cols-2">
          <ConsentsCard consents={complete ? consents : null} locked={view.status === 'LOCKED'} />
          <RecoveryCard guardiansStatus={guardiansStatus} />
        </div>
      )}
      <section aria-labelledby="happened" className="max-w-prose space-y-3">
        <h2 id="happened">{t('happened.title')}</h2>
        <NavCard icon={Eye} name={t('happened.access')} what={t('happened.accessWhat')} href="/me/access" />
        <NavCard
          icon={Layers}
          name={t('happened.public')}
          what={t('happened.publicWhat')}
          href={pageOf(view.domain ?? kept.id)}
        />
      </section>
      {!ended && <IfWrong home="/me" />}
    </div>
  );
}
