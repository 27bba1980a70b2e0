'use client';

import { useTranslations } from 'use-intl/react';
import { wasOffered } from '../../_keys/offered.ts';
import { useHolder } from '../../_session/current.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useNow } from '../../_ui/now.ts';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useBrowser } from '../../_ui/use-browser.ts';
import { Freeze } from '../_safety/freeze-part.tsx';
import { Parts } from '../_safety/part.tsx';
import { useConsents } from './consents/use-consents.ts';
import { useKnownGuardians } from './guardians/known-guardians.ts';
import { lastChecked } from './guardians/last-checked.ts';
import { useGuardiansStatus } from './guardians/use-guardian-status.ts';
import { InBrief } from './in-brief.tsx';
import { FirstSteps, NextStepCard } from './next-step.tsx';
import { Tasks } from './task-list.tsx';
import { isNew, nextStepOf, type Task, tasksOf } from './tasks.ts';

/** Loaded after the page. */
const SinceLastVisit = deferred(
  async () => (await import('./since-last-visit.tsx')).SinceLastVisit,
  <RowsSkeleton rows={1} />,
);

/** The tasks that the first steps cover. */
const IN_FIRST_STEPS: ReadonlySet<Task['kind']> = new Set(['unready', 'require']);

/** The first page of a holder: tasks, what happened since the last visit, the next step, and the way to freeze. */
export function Overview({ renderedAt, mails }: { renderedAt: string; mails: boolean }) {
  const t = useTranslations('overview');
  const safety = useTranslations('safety');
  const { view, kept } = useHolder();
  const guardiansStatus = useGuardiansStatus();
  const { consents, complete, failure } = useConsents(kept.id);
  const now = useNow(renderedAt);
  const ended = view.status === 'DESTROYED';
  const inBrowser = useBrowser();
  // Whether one of them checked the key later is read only where an acceptance is old enough to ask.
  const acceptedLongAgo = view.recovery.guardians.some(({ accepted_at: at }) => lastChecked(null, at, now)?.isLong);
  const { attested } = useKnownGuardians(acceptedLongAgo);
  const facts = guardiansStatus && {
    view,
    keptKey: kept.publicKey,
    guardiansStatus,
    consents,
    attested,
    offersAlerts: mails && inBrowser && !wasOffered('alerts', kept.id),
    offersPractice: inBrowser && !wasOffered('practice', kept.id),
    now,
  };
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
      {!ended && <SinceLastVisit consents={complete ? consents : null} />}
      {!showFirstSteps && next !== null && <NextStepCard step={next} />}
      {!ended && !showFirstSteps && <InBrief consents={complete ? consents : null} guardiansStatus={guardiansStatus} />}
      {!ended && (
        <Parts title={safety('wrong')}>
          <Freeze />
          <p>
            <LocalLink href="/me/safety#replace" className={`${textLink} inline-flex min-h-11 items-center`}>
              {t('wrong')}
            </LocalLink>
          </p>
        </Parts>
      )}
    </div>
  );
}
