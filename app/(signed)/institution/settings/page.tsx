import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionSettings } from './settings.tsx';

/** The settings of an institution. */
export default function InstitutionSettingsPage() {
  return (
    <WithMessages namespaces={['institution', 'safety', 'scope']}>
      <InstitutionSettings />
    </WithMessages>
  );
}
