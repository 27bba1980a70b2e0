import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionSettings } from './settings.tsx';

/** The API and the webhook of an institution. */
export default function InstitutionSettingsPage() {
  return (
    <WithMessages namespaces={['institution']}>
      <InstitutionSettings />
    </WithMessages>
  );
}
