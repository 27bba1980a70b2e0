import { WithMessages } from '../../_i18n/translated.tsx';
import { SignIn } from './sign-in.tsx';

/** The identities in this browser, and links to bring or create one. */
export default function SignInPage() {
  return (
    <div className="page pt-8 pb-20">
      <WithMessages namespaces={['signIn', 'safety']}>
        <SignIn />
      </WithMessages>
    </div>
  );
}
