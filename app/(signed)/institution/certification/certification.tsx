'use client';

import { useInstitution } from '../../../_session/current.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { CertificationCard } from './certification-card.tsx';
import { CertificationRequest } from './certification-request.tsx';

export function InstitutionCertification() {
  const { view } = useInstitution();
  return (
    <SettingsPage name="certification">
      <CertificationCard institution={view} />
      {view.status !== 'DESTROYED' && <CertificationRequest key={view.ieo_id} institution={view} />}
    </SettingsPage>
  );
}
