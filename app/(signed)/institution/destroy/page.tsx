import { WithMessages } from '../../../intl/translated.tsx';
import { Destroy } from '../../../safety/destroy.tsx';

/** Where an institution ends itself for ever. */
export default function DestroyInstitutionPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
