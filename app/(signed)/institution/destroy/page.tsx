import { WithMessages } from '../../../_i18n/translated.tsx';
import { Destroy } from '../../_safety/destroy.tsx';

/** Destroys an institution. */
export default function DestroyInstitutionPage() {
  return (
    <WithMessages namespaces={['safety', 'guardian']}>
      <Destroy />
    </WithMessages>
  );
}
