import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { categoryOf } from '../../../../../protocol/taxonomy.ts';
import { WithBiomarkerNames } from '../../../../biomarkers/with-names.tsx';
import { WithMessages } from '../../../../intl/translated.tsx';
import { translator } from '../../../../intl/translator.ts';
import { BiomarkerRecords } from '../../../../records/biomarker.tsx';

/** What is looked at is nobody's business: titles end up in histories. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('records');
  return { title: t('title') };
}

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
