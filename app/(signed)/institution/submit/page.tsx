import { Submission } from '../../../institution/submit/submission.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

/** Adds records to those of a person. */
export default function SubmitPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <Submission />
    </WithMessages>
  );
}
