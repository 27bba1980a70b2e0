import { WithMessages } from '../../../_i18n/translated.tsx';
import { ExportUnderConsent } from './export-under-consent.tsx';

/** Takes away what people have allowed. */
export default function InstitutionExportPage() {
  return (
    <WithMessages namespaces={['institution', 'exporting', 'scope']}>
      <ExportUnderConsent />
    </WithMessages>
  );
}
