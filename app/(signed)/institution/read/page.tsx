import { WithBiomarkerNames } from '../../../biomarkers/with-names.tsx';
import { Reading } from '../../../institution/read/reading.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

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
