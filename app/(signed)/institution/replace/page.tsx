import { WithMessages } from '../../../_i18n/translated.tsx';
import { ReplaceKey } from '../../_safety/replace-key.tsx';

/** Replaces the key of an institution. */
export default function ReplaceInstitutionKeyPage() {
  return (
    <WithMessages namespaces={['safety']}>
      <ReplaceKey />
    </WithMessages>
  );
}
