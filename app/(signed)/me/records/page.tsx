import { WithMessages } from '../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../_i18n/with-biomarker-names.tsx';
import { RecordsOverview } from './records-overview.tsx';

export default function RecordsPage() {
  return (
    <WithMessages namespaces={['records', 'scope', 'clinical']}>
      <WithBiomarkerNames>
        <RecordsOverview />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
