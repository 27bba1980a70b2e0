import { WithMessages } from '../../../_i18n/translated.tsx';
import { ExportRecords } from './export-records.tsx';

export default function ExportPage() {
  return (
    <WithMessages namespaces={['exporting', 'scope']}>
      <ExportRecords />
    </WithMessages>
  );
}
