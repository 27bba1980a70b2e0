import { WithMessages } from '../../../_i18n/translated.tsx';
import { WithBiomarkerNames } from '../../../_i18n/with-biomarker-names.tsx';
import { Submission } from './submission.tsx';

/** Submits records of a person. */
export default function SubmitPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <WithBiomarkerNames>
        <Submission />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
