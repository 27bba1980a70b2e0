import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionKey } from './institution-key.tsx';

/** The key of an institution. */
export default function InstitutionKeyPage() {
  return (
    <WithMessages namespaces={['institution', 'safety']}>
      <InstitutionKey />
    </WithMessages>
  );
}
