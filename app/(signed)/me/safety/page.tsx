import { WithMessages } from '../../../_i18n/translated.tsx';
import { HolderSafety } from './holder-safety.tsx';

/** Where a holder keeps, replaces, forgets or ends what they have. */
export default function SafetyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <HolderSafety />
    </WithMessages>
  );
}
