import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionCertification } from './certification.tsx';

/** The certification of an institution, and what it asks the institute for. */
export default function InstitutionCertificationPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <InstitutionCertification />
    </WithMessages>
  );
}
