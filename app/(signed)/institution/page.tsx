import { InstitutionOverview } from '../../institution/overview.tsx';
import { WithMessages } from '../../intl/translated.tsx';

/** Where an institution stands. */
export default function InstitutionPage() {
  return (
    <WithMessages namespaces={['institution', 'scope', 'home']}>
      <InstitutionOverview />
    </WithMessages>
  );
}
