import { WithMessages } from '../../../_i18n/translated.tsx';
import { ReceivedConsents } from './received-consents.tsx';

/** The consents that the institution has received. */
export default function ReceivedConsentsPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <ReceivedConsents />
    </WithMessages>
  );
}
