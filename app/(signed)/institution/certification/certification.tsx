'use client';

import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../../_session/current.tsx';
import { CertificationCard } from './certification-card.tsx';
import { CertificationRequest } from './certification-request.tsx';

export function InstitutionCertification() {
  const t = useTranslations('institution.certification');
  const { view } = useInstitution();
  return (
    <div className="max-w-prose space-y-6">
      <h1>{t('title')}</h1>
      <CertificationCard institution={view} />
      {view.status === 'ACTIVE' && <CertificationRequest key={view.ieo_id} institution={view} />}
    </div>
  );
}
