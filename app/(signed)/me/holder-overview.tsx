'use client';

import { useTranslations } from 'use-intl/react';
import { wereAlertsOffered } from '../../_keys/alerts-offered.ts';
import { useHolder } from '../../_session/current.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { useNow } from '../../_ui/now.ts';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { IfWrong } from '../_safety/if-wrong.tsx';
import { useConsents } from './consents/use-consents.ts';
import { ConsentsCard } from './consents-card.tsx';
import { useGuardiansStatus } from './guardians/use-guardian-status.ts';
import { FirstSteps, NextStepCard } from './next-step.tsx';
import { RecoveryCard } from './recovery-card.tsx';
import { Tasks } from './task-list.tsx';
import { isNew, nextStepOf, type Task, tasksOf } from './tasks.ts';

/** Loaded after the page. */
const SinceLastVisit = deferred(
  async () => (await import('./since-last-visit.tsx')).SinceLastVisit,
  <RowsSkeleton rows={1} />,
);

/** The tasks that the first steps cover. */
const IN_FIRST_STEPS: ReadonlySet<Task['kind']> = new Set(['unready', 'require']);

/** The first page of a holder: tasks or the next step, the status of everything, and what happened since the last visit. */
export function Overview({ renderedAt, mails }: { renderedAt: string; mails: boolean }) {
  const t = useTranslations('overview');
  const { view, kept } = useHolder();
  const guardiansStatus = useGuardiansStatus();
  const { consents, complete, failure } = useConsents(kept.id);
  const now = useNow(renderedAt);
  const ended = view.status === 'DESTROYED';
  const inBrowser = useBrowser();
  const offersAlerts = mails && inBrowser && !wereAlertsOffered(kept.id);
  const facts = guardiansStatus && { view, keptKey: kept.publicKey, guardiansStatus, consents, offersAlerts, now };
  const showFirstSteps = facts !== null && complete && isNew(facts);
  const next = facts !== null && complete ? nextStepOf(facts) : null;
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
      {!showFirstSteps && next !== null && <NextStepCard step={next} />}
      {!ended && !showFirstSteps && (
        <div className="grid gap-6 *:min-w-0 lg:grid-cols-2">
          <ConsentsCard consents={complete ? consents : null} locked={view.status === 'LOCKED'} />
          <RecoveryCard guardiansStatus={guardiansStatus} />
        </div>
      )}
      {!ended && <SinceLastVisit consents={complete ? consents : null} />}
      {!ended && <IfWrong home="/me" />}
    </div>
  );
}
