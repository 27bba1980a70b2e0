import { WithBiomarkerNames } from '../../../biomarkers/with-names.tsx';
import { WithMessages } from '../../../intl/translated.tsx';
import { RecordsOverview } from '../../../records/overview.tsx';

export default function RecordsPage() {
  return (
    <WithMessages namespaces={['records', 'scope']}>
      <WithBiomarkerNames>
        <RecordsOverview />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
