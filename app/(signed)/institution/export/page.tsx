import { ExportingRecords } from '../../../institution/export/exporting.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

/** Takes away what people have allowed. */
export default function InstitutionExportPage() {
  return (
    <WithMessages namespaces={['institution', 'exporting', 'scope']}>
      <ExportingRecords />
    </WithMessages>
  );
}
