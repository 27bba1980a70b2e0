import { WithMessages } from '../../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../../_i18n/with-biomarker-names.tsx';
import { NewShare } from './new-share.tsx';

/** Makes a link to records. */
export default function NewSharePage() {
  return (
    <WithMessages namespaces={['shares', 'records', 'scope', 'clinical']}>
      <WithBiomarkerNames>
        <NewShare />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
