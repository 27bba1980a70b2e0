import type { Metadata } from 'next';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';
import { Destroy } from '../../../safety/destroy.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('safety');
  return { title: t('destroy.title', { kind: 'institution' }) };
}

/** Where an institution ends itself for ever. */
export default function DestroyInstitutionPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
