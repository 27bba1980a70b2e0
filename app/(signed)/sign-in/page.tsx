import type { Metadata } from 'next';
import { WithMessages } from '../../intl/translated.tsx';
import { translator } from '../../intl/translator.ts';
import { SignIn } from '../../sign-in/sign-in.tsx';

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('signIn');
  return { title: t('title') };
}

/** The identities that this browser knows, and the ways to bring or make one. */
export default function SignInPage() {
  return (
    <div className="page pt-8 pb-20">
      <WithMessages namespaces={['signIn', 'safety']}>
        <SignIn />
      </WithMessages>
    </div>
  );
}
