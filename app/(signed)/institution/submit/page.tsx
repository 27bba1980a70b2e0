import { WithBiomarkerNames } from '../../../biomarkers/with-names.tsx';
import { Submission } from '../../../institution/submit/submission.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

/** Adds records to those of a person. */
export default function SubmitPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <WithBiomarkerNames>
        <Submission />
      </WithBiomarkerNames>
    </WithMessages>
  );
}
