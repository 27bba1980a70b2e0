import type { Metadata } from 'next';
import { WithBiomarkerNames } from '../../../biomarkers/with-names.tsx';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';
import { RecordsOverview } from '../../../records/overview.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('records');
  return { title: t('title') };
}

export default function RecordsPage() {
  return (
    <WithMessages namespaces={['records', 'scope']}>
      <WithBiomarkerNames>
        <RecordsOverview />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
