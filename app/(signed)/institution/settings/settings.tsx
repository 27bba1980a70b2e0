'use client';

import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../../_session/current.tsx';
import { Parts } from '../../_safety/part.tsx';
import { Safety } from '../../_safety/safety.tsx';
import { CertificationCard } from '../certification/certification-card.tsx';
import { ContactsForm } from './contacts-form.tsx';
import { RecoveryPart } from './recovery/recovery-part.tsx';
import { WebhookPart } from './webhook-part.tsx';

/** The settings of an institution, and the actions on its key. */
export function InstitutionSettings() {
  const t = useTranslations('institution.settings');
  const { view } = useInstitution();
  return (
    <div className="space-y-8">
      <h1>{t('title')}</h1>
      <div className="max-w-prose space-y-5">
        {view.status === 'ACTIVE' && (
          <Parts>
            <ContactsForm key={view.ieo_id} institution={view} />
          </Parts>
        )}
        {view.contacts.webhook_url !== null && (
          <Parts>
            <WebhookPart key={`${view.ieo_id} ${view.contacts.webhook_url}`} ieoId={view.ieo_id} />
          </Parts>
        )}
        <CertificationCard institution={view} isLinked />
        <Parts>
          <RecoveryPart institution={view} />
        </Parts>
      </div>
      <section className="space-y-5">
        <h2>{t('key')}</h2>
        <Safety home="/institution" />
      </section>
    </div>
  );
}
