'use client';

import { useTranslations } from 'use-intl/react';
import { deferred } from '../../../_ui/deferred.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadMeanwhile } from '../../../_ui/use-load-ahead.ts';
import { UnderConsent } from '../choose-consent.tsx';

/** Loaded while the consents are read. */
const loadExport = async () => (await import('./consent-export.tsx')).ConsentExport;
const ConsentExport = deferred(loadExport, <CardSkeleton lines={4} />);

/** Exports the records of a person under a consent. */
export function ExportUnderConsent() {
  const t = useTranslations('institution.export');
  useLoadMeanwhile(loadExport);
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <UnderConsent intent="EXPORT_DATA">{(consent) => <ConsentExport consent={consent} />}</UnderConsent>
    </div>
  );
}
