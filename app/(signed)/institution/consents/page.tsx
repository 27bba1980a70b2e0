import { WithMessages } from '../../../_i18n/translated.tsx';
import { ReceivedConsents } from './received-consents.tsx';

/** What people have allowed the institution. */
export default function ReceivedConsentsPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <ReceivedConsents />
    </WithMessages>
  );
}
