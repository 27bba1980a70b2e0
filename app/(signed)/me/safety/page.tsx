import { WithMessages } from '../../../intl/translated.tsx';
import { HolderSafety } from '../../../safety/holder-safety.tsx';

/** Where a holder keeps, replaces, forgets or ends what they have. */
export default function SafetyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <HolderSafety />
    </WithMessages>
  );
}
