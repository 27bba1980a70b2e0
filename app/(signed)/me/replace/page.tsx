import { WithMessages } from '../../../_i18n/translated.tsx';
import { ReplaceKey } from '../../_safety/replace-key.tsx';

/** Replaces the key of an identity. */
export default function ReplaceKeyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <ReplaceKey />
    </WithMessages>
  );
}
