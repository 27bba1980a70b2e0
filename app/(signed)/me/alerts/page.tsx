import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { MyAlerts } from './my-alerts.tsx';

/** Where a holder's alerts go, and what they are about. */
export default function AlertsPage() {
  return (
    <WithMessages namespaces={['alerts']}>
      <MyAlerts mails={getContext().outbox !== null} />
    </WithMessages>
  );
}
