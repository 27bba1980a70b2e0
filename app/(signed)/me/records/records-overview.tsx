'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../../_session/session.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { RowsSkeleton } from '../../../_ui/skeletons.tsx';
import { WithRecords } from './with-records.tsx';

/** Loaded while the records are read, which needs an open key. */
const load = async () => (await import('./loaded-overview.tsx')).LoadedOverview;
const LoadedOverview = deferred(load, <RowsSkeleton />);

/** All records of a person. */
export function RecordsOverview() {
  const t = useTranslations('records');
  const { isOpen } = useSession();
  useEffect(() => {
    if (isOpen) load().catch(() => {});
  }, [isOpen]);
  return (
    <div className="space-y-6">
      <h1>{t('title')}</h1>
      <WithRecords>{(loaded) => <LoadedOverview {...loaded} />}</WithRecords>
    </div>
  );
}
