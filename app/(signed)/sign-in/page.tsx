import { WithMessages } from '../../_i18n/translated.tsx';
import { SignIn } from './sign-in.tsx';

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
