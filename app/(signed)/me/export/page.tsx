import type { Metadata } from 'next';
import { ExportRecords } from '../../../exporting/export-records.tsx';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('exporting');
  return { title: t('title') };
}

export default function ExportPage() {
  return (
    <WithMessages namespaces={['exporting', 'scope']}>
      <ExportRecords />
    </WithMessages>
  );
}
