import { WithMessages } from '../../../_i18n/translated.tsx';
import { ExportUnderConsent } from './export-under-consent.tsx';

/** Exports records under a consent. */
export default function InstitutionExportPage() {
  return (
    <WithMessages namespaces={['institution', 'exporting', 'scope']}>
      <ExportUnderConsent />
    </WithMessages>
  );
}
