'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Export, useExport } from '../../_export/export.tsx';
import { useHolderObstacle } from '../holder-obstacle.ts';
import { ReadRefused } from '../read/read-refused.tsx';

/** Exports under one consent. */
export function ConsentExport({ consent }: { consent: TokenView }) {
  const t = useTranslations('institution.export');
  const { beo_id: beoId, beo_domain: domain, token_id: token } = consent;
  const exporting = useExport({ beoId, domain: domain ?? beoId, obstacleOf: useHolderObstacle() });
  return (
    <div className="max-w-prose space-y-6">
      <p>{t('lead')}</p>
      <Export
        exporting={exporting}
        whose="others"
        refused={(failure) => <ReadRefused failure={failure} consent={consent} />}
      >
        {(choose) => choose(token)}
      </Export>
    </div>
  );
}
