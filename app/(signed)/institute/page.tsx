import type { Metadata } from 'next';
import { getContext } from '../../../server/context.ts';
import { Institute } from '../../institute/institute.tsx';
import { Translated } from '../../intl/translated.tsx';
import { translator } from '../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('institute');
  return { title: t('title') };
}

/** Where the keys of the institute decide. What they have decided is public. */
export default function InstitutePage() {
  return (
    <Translated namespaces={['institute', 'scope']}>
      <Institute suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
