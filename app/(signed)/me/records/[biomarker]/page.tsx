import { notFound } from 'next/navigation';
import { categoryOf } from '../../../../../protocol/records/taxonomy.ts';
import { setPageStatus } from '../../../../../server/http/rest/page-status.ts';
import { WithMessages } from '../../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../../_i18n/with-biomarker-names.tsx';
import { BiomarkerRecords } from '../biomarker.tsx';

export default async function BiomarkerPage({ params }: { params: Promise<{ biomarker: string }> }) {
  const { biomarker } = await params;
  if (categoryOf(biomarker) === null) {
    // The server does not render what is inside the shell, so that Next would respond with 200.
    setPageStatus(404);
    notFound();
  }
  return (
    <WithMessages namespaces={['records', 'scope', 'clinical']}>
      <WithBiomarkerNames>
        <BiomarkerRecords code={biomarker} />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
