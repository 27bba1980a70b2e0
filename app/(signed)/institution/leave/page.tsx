import { WithMessages } from '../../../_i18n/translated.tsx';
import { InstitutionLeave } from './institution-leave.tsx';

/** The ways to leave: with the records, from this browser, for good. */
export default function InstitutionLeavePage() {
  return (
    <WithMessages namespaces={['institution', 'safety']}>
      <InstitutionLeave />
    </WithMessages>
  );
}
