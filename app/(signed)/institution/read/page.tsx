import { WithMessages } from '../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../_i18n/with-biomarker-names.tsx';
import { ReadUnderConsent } from './read-under-consent.tsx';

/** Reads records under a consent. */
export default function ReadPage() {
  return (
    <WithMessages namespaces={['institution', 'scope', 'clinical']}>
      <WithBiomarkerNames>
        <ReadUnderConsent />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
