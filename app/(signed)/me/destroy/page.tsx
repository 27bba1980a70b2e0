import { WithMessages } from '../../../_i18n/translated.tsx';
import { Destroy } from '../../_safety/destroy.tsx';

/** Destroys the identity of a holder. */
export default function DestroyPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
