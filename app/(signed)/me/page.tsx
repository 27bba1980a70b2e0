import type { Metadata } from 'next';
import { WithMessages } from '../../intl/translated.tsx';
import { translator } from '../../intl/translator.ts';
import { Overview } from '../../overview/overview.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await translator('overview'))('title') };
}

export default function OverviewPage() {
  return (
    <WithMessages namespaces={['overview', 'scope']}>
      <Overview renderedAt={new Date().toISOString()} />
    </WithMessages>
  );
}
