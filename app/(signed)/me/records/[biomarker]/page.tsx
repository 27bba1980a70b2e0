import { notFound } from 'next/navigation';
import { categoryOf } from '../../../../../protocol/taxonomy.ts';
import { WithBiomarkerNames } from '../../../../biomarkers/with-names.tsx';
import { WithMessages } from '../../../../intl/translated.tsx';
import { BiomarkerRecords } from '../../../../records/biomarker.tsx';

export default async function BiomarkerPage({ params }: { params: Promise<{ biomarker: string }> }) {
  const { biomarker } = await params;
  if (categoryOf(biomarker) === null) notFound();
  return (
    <WithMessages namespaces={['records', 'scope']}>
      <WithBiomarkerNames>
        <BiomarkerRecords code={biomarker} />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
