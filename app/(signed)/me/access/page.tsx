import type { Metadata } from 'next';
import { AccessLog } from '../../../access/access-log.tsx';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('access');
  return { title: t('title') };
}

export default function AccessPage() {
  return (
    <WithMessages namespaces={['access']}>
      <AccessLog />
    </WithMessages>
  );
}
