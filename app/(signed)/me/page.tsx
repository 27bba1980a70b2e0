import { WithMessages } from '../../intl/translated.tsx';
import { Overview } from '../../overview/overview.tsx';

export default function OverviewPage() {
  return (
    <WithMessages namespaces={['overview', 'scope']}>
      <Overview renderedAt={new Date().toISOString()} />
    </WithMessages>
  );
}
