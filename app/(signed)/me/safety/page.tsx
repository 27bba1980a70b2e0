import type { Metadata } from 'next';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';
import { HolderSafety } from '../../../safety/holder-safety.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('safety');
  return { title: t('title') };
}

/** Where a holder keeps, replaces, forgets or ends what they have. */
export default function SafetyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <HolderSafety />
    </WithMessages>
  );
}
