'use client';

import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../_session/current.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { useNow } from '../../_ui/now.ts';
import { Skeleton } from '../../_ui/skeleton.tsx';
import { useConsents } from './consents/use-consents.ts';
import { ConsentsCard } from './consents-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { useHistory, useStanding } from './guardians/use-standing.ts';
import { History } from './history.tsx';
import { isNew, type Matter, mattersOf } from './matters.ts';
import { Matters } from './matters-list.tsx';
import { PublicRecord } from './public-record.tsx';
import { RecoveryCard } from './recovery-card.tsx';

/** What the first steps ask for anyway. */
const IN_FIRST_STEPS: ReadonlySet<Matter['kind']> = new Set(['unready', 'require']);

/** What a holder sees first: what matters now, then how things stand. */
export function Overview({ renderedAt }: { renderedAt: string }) {
  const t = useTranslations('overview');
  const { view, kept } = useHolder();
  const standing = useStanding();
  const { entries, failed } = useHistory();
  const { consents, complete, failure } = useConsents(kept.id);
  const now = useNow(renderedAt);
  const ended = view.status === 'DESTROYED';
  const facts = standing && { view, keptKey: kept.publicKey, standing, consents, now };
  const begins = facts !== null && complete && isNew(facts);
  return (
    <div className="max-w-[58rem] space-y-8 pb-12">
      <h1 className="text-2xl">{t('title')}</h1>
      {failure && (
        <Alert tone="caution">
          <p role="status">{t('unknown')}</p>
        </Alert>
      )}
      {!ended && begins && (
        <FirstSteps
          matters={mattersOf(facts).filter(({ kind }) => !IN_FIRST_STEPS.has(kind))}
          required={facts.standing.required}
        />
      )}
      {!ended &&
        !begins &&
        (facts && (complete || failure) ? (
          <Matters matters={mattersOf(facts)} />
        ) : (
          <Skeleton className="h-28 w-full" />
        ))}
      {!ended && !begins && (
        <div className="grid gap-6 lg:grid-cols-2">
          <ConsentsCard consents={complete ? consents : null} locked={view.status === 'LOCKED'} />
          <RecoveryCard standing={standing} />
        </div>
      )}
      <History entries={entries} failed={failed} renderedAt={renderedAt} />
      <PublicRecord />
    </div>
  );
}
