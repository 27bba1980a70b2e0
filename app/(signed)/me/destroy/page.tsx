import { WithMessages } from '../../../_i18n/translated.tsx';
import { Destroy } from '../../_safety/destroy.tsx';

/** Where a holder ends their identity for ever. */
export default function DestroyPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
