import { ExportRecords } from '../../../exporting/export-records.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

export default function ExportPage() {
  return (
    <WithMessages namespaces={['exporting', 'scope']}>
      <ExportRecords />
    </WithMessages>
  );
}
