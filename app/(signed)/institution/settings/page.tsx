import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionSettings } from './settings.tsx';

/** What an institution can change about itself. */
export default function InstitutionSettingsPage() {
  return (
    <WithMessages namespaces={['institution', 'safety', 'scope']}>
      <InstitutionSettings />
    </WithMessages>
  );
}
