'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Shields } from '../../_ui/shields.tsx';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { type GuardiansStatus, isReady, shieldOf } from './guardians/status.ts';

/** Whether a lost key could be recovered, and the status of each guardian. */
export function RecoveryCard({ guardiansStatus }: { guardiansStatus: GuardiansStatus | null }) {
  const t = useTranslations('overview.recovery');
  return (
    <Card className="flex flex-col gap-4">
      <h2>{t('title')}</h2>
      {!guardiansStatus && <RowsSkeleton rows={3} words={t('looking')} />}
      {guardiansStatus && (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Shields states={guardiansStatus.places.map(shieldOf)} label={null} />
            <p className={isReady(guardiansStatus) ? 'font-semibold' : 'font-semibold text-caution-ink'}>
              {t(`readiness.${guardiansStatus.readiness}`)}
            </p>
          </div>
          <dl className="divide-y divide-line border-y border-line">
            {guardiansStatus.places.map(({ role, state }) => (
              <div key={role} className="flex min-h-12 items-center justify-between gap-4 py-2">
                <dt>{t(`place.${role}`)}</dt>
                <dd>
                  <StateBadge state={state} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <div className="mt-auto flex flex-col sm:flex-row">
        <Button asChild look="secondary">
          <LocalLink href="/me/guardians">{t('action')}</LocalLink>
        </Button>
      </div>
    </Card>
  );
}
