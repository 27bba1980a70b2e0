import type { Metadata } from 'next';
import { WithMessages } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { Guarding } from '../_ui/pictures/guarding.tsx';
import { Guarded } from './guarded.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('guarded');
  return publicMetadata(t('title'), t('lead'));
}

/** Lists the identities that a guardian's key guards, and lets the guardian resign. */
export default function GuardianPage() {
  return (
    <WithMessages namespaces={['guarded', 'guardian', 'keys']}>
      <Guarded picture={<Guarding className="w-48" />} />
    </WithMessages>
  );
}
