import type { Metadata } from 'next';
import { WithMessages } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { Guarded } from './guarded.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('guarded');
  return { description: t('lead'), openGraph: { title: t('title'), description: t('lead') } };
}

/** Lists the identities that a guardian's key guards, and lets the guardian resign. */
export default function GuardianPage() {
  return (
    <WithMessages namespaces={['guarded', 'guardian', 'keys']}>
      <Guarded />
    </WithMessages>
  );
}
