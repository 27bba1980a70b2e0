import { WithMessages } from '../../_i18n/translated.tsx';
import { InstitutionOverview } from './institution-overview.tsx';

/** The overview of an institution. */
export default function InstitutionPage() {
  return (
    <WithMessages namespaces={['institution', 'scope', 'home', 'entryWords']}>
      <InstitutionOverview />
    </WithMessages>
  );
}
