import type { Metadata } from 'next';
import { getContext } from '../../../../server/context.ts';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';
import { Bring } from '../../../sign-in/bring.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('signIn');
  return { title: t('bring.title') };
}

/** Takes a key that was made elsewhere, or earlier, into this browser. */
export default function BringPage() {
  return (
    <div className="page pt-8 pb-20">
      <div className="max-w-[38rem]">
        <WithMessages namespaces={['signIn']}>
          <Bring suffix={getContext().config.DOMAIN_SUFFIX} />
        </WithMessages>
      </div>
    </div>
  );
}
