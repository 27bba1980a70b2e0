'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { categoryOf } from '../../../../protocol/records/taxonomy.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { useSession } from '../../../_session/session.tsx';
import { BackTo } from '../../../_ui/back-to.tsx';
import { CategoryName } from '../../../_ui/category-name.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { WithRecords } from './with-records.tsx';

/** Loaded while the records are read, which needs an open key. */
const load = async () => (await import('./loaded-biomarker.tsx')).LoadedBiomarker;
const LoadedBiomarker = deferred(load, <TableSkeleton />);

/** One biomarker: a chart and all values. */
export function BiomarkerRecords({ code }: { code: string }) {
  const t = useTranslations('records');
  const nameOf = useBiomarkerName();
  const category = categoryOf(code);
  const { isOpen } = useSession();
  useEffect(() => {
    if (isOpen) load().catch(() => {});
  }, [isOpen]);
  return (
    <div className="space-y-6">
      <div>
        <BackTo href="/me/records">{t('all')}</BackTo>
        <h1>{nameOf(code)}</h1>
        <p className="text-muted">
          {category && (
            <>
              <CategoryName code={category} />
              {' · '}
            </>
          )}
          <span translate="no">{code}</span>
        </p>
      </div>
      <WithRecords>{({ records }) => <LoadedBiomarker code={code} all={records} />}</WithRecords>
    </div>
  );
}
