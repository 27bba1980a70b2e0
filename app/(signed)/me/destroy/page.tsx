import { WithMessages } from '../../../intl/translated.tsx';
import { Destroy } from '../../../safety/destroy.tsx';

/** Where a holder ends their identity for ever. */
export default function DestroyPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
