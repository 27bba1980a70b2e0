import { WithMessages } from '../../../_i18n/translated.tsx';
import { HolderSafety } from './holder-safety.tsx';

/** The actions of a holder on their key and identity. */
export default function SafetyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <HolderSafety />
    </WithMessages>
  );
}
