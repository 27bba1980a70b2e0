import { getContext } from '../../../server/http/context.ts';
import { Translated } from '../../_i18n/translated.tsx';
import { Registration } from './registration.tsx';

/** Registers an institution. */
export default function RegisterPage() {
  return (
    <Translated namespaces={['register', 'safety']}>
      <Registration suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
