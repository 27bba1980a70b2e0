'use client';

import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { Export, useExport } from '../../_export/export.tsx';
import { useSelfConsent } from '../consents/self-consent.ts';
import { SelfConsentOffer } from '../consents/self-consent-offer.tsx';

/** Exports all records of a holder. */
export function ExportRecords() {
  const t = useTranslations('exporting');
  const { view, kept } = useHolder();
  const consent = useSelfConsent('EXPORT_DATA');
  const exporting = useExport({ beoId: view.beo_id, domain: kept.domain });
  const token = consent.coverEverything ? consent.tokens[0]?.token_id : undefined;

  return (
    <div className="max-w-prose space-y-6">
      <h1>{t('title')}</h1>
      <p>{t('lead')}</p>
      <Export exporting={exporting} whose="own">
        {(choose) =>
          view.status !== 'ACTIVE' ? (
            <Alert tone="caution" title={t('notNow.title')}>
              <p>{t(view.status === 'LOCKED' ? 'notNow.locked' : 'notNow.destroyed')}</p>
            </Alert>
          ) : consent.loading ? (
            <CardSkeleton lines={4} />
          ) : token ? (
            choose(token)
          ) : consent.failure ? (
            <div className="space-y-4">
              <Refused failure={consent.failure} />
              <Button onClick={consent.retry}>{t('again')}</Button>
            </div>
          ) : (
            <SelfConsentOffer consent={consent} />
          )
        }
      </Export>
    </div>
  );
}
