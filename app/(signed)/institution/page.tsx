import { WithMessages } from '../../_i18n/translated.tsx';
import { InstitutionOverview } from './overview.tsx';

/** Where an institution stands. */
export default function InstitutionPage() {
  return (
    <WithMessages namespaces={['institution', 'scope', 'home']}>
      <InstitutionOverview />
    </WithMessages>
  );
}
