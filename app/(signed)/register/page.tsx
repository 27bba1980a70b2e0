import { getContext } from '../../../server/context.ts';
import { Translated } from '../../intl/translated.tsx';
import { Registration } from '../../register/registration.tsx';

/** Registers an institution, one thing per screen. */
export default function RegisterPage() {
  return (
    <Translated namespaces={['register', 'safety']}>
      <Registration suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
