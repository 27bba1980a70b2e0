import { WithMessages } from '../../../_i18n/translated.tsx';
import { Destroy } from '../../_safety/destroy.tsx';

/** Where an institution ends itself for ever. */
export default function DestroyInstitutionPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
