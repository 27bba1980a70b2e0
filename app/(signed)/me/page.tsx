import { getContext } from '../../../server/http/context.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { Overview } from './holder-overview.tsx';

export default function OverviewPage() {
  return (
    <WithMessages namespaces={['overview', 'scope', 'safety', 'access', 'entryWords']}>
      <Overview renderedAt={new Date().toISOString()} mails={getContext().outbox !== null} />
    </WithMessages>
  );
}
