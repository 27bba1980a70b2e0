import { WithMessages } from '../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../_i18n/with-biomarker-names.tsx';
import { Reading } from './reading.tsx';

/** Reads what people have allowed. */
export default function ReadPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <WithBiomarkerNames>
        <Reading />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
