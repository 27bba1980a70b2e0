import { WithMessages } from '../../../_i18n/translated.tsx';
import { ExportingRecords } from './exporting.tsx';

/** Takes away what people have allowed. */
export default function InstitutionExportPage() {
  return (
    <WithMessages namespaces={['institution', 'exporting', 'scope']}>
      <ExportingRecords />
    </WithMessages>
  );
}
