'use client';

import { useTranslations } from 'use-intl/react';
import { deferred } from '../../../_ui/deferred.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadMeanwhile } from '../../../_ui/use-load-ahead.ts';
import { UnderConsent } from '../choose-consent.tsx';

/** Loaded while the consents are read. */
const loadRecords = async () => (await import('./consent-records.tsx')).ConsentRecords;
const ConsentRecords = deferred(loadRecords, <TableSkeleton />);

/** Reads the records of a person under a consent. */
export function ReadUnderConsent() {
  const t = useTranslations('institution.read');
  useLoadMeanwhile(loadRecords);
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <UnderConsent intent="READ_RECORDS">{(consent) => <ConsentRecords consent={consent} />}</UnderConsent>
    </div>
  );
}
