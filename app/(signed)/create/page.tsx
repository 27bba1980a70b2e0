import type { Metadata } from 'next';
import { getContext } from '../../../server/context.ts';
import { Create } from '../../create/create.tsx';
import { WithMessages } from '../../intl/translated.tsx';
import { translator } from '../../intl/translator.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('create');
  return { title: t('title') };
}

/** For somebody who has no identity yet. */
export default function CreatePage() {
  return (
    <div className="page pt-2">
      <WithMessages namespaces={['create', 'guardian']}>
        <Create suffix={getContext().config.DOMAIN_SUFFIX} />
      </WithMessages>
    </div>
  );
}
