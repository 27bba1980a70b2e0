'use client';

import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../../_session/current.tsx';
import { Parts } from '../../_safety/part.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { ContactsForm } from './contacts-form.tsx';
import { WebhookPart } from './webhook-part.tsx';

/** The addresses of an institution, and the delivery to its webhook. */
export function InstitutionSettings() {
  const t = useTranslations('institution.settings');
  const { view } = useInstitution();
  return (
    <SettingsPage name="settings">
      {view.status === 'ACTIVE' ? (
        <Parts>
          <ContactsForm key={view.ieo_id} institution={view} />
        </Parts>
      ) : (
        <p>{t('notActive')}</p>
      )}
      {view.contacts.webhook_url !== null && (
        <Parts>
          <WebhookPart key={`${view.ieo_id} ${view.contacts.webhook_url}`} ieoId={view.ieo_id} />
        </Parts>
      )}
    </SettingsPage>
  );
}
