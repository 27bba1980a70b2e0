import type { Metadata } from 'next';
import { getContext } from '../../../server/context.ts';
import { Translated } from '../../intl/translated.tsx';
import { translator } from '../../intl/translator.ts';
import { Registration } from '../../register/registration.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('register');
  return { title: t('title') };
}

/** Registers an institution, one thing per screen. */
export default function RegisterPage() {
  return (
    <Translated namespaces={['register', 'safety']}>
      <Registration suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
