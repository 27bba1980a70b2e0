import { ReceivedConsents } from '../../../institution/received-consents.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

/** What people have allowed the institution. */
export default function ReceivedConsentsPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <ReceivedConsents />
    </WithMessages>
  );
}
