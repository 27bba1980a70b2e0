import { InstitutionSettings } from '../../../institution/settings.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

/** What an institution can change about itself. */
export default function InstitutionSettingsPage() {
  return (
    <WithMessages namespaces={['institution', 'safety', 'scope']}>
      <InstitutionSettings />
    </WithMessages>
  );
}
