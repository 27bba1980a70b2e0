import { WithMessages } from '../../../_i18n/translated.tsx';
import { Submissions } from './submissions.tsx';

/** The submissions of the institution. */
export default function SubmissionsPage() {
  return (
    <WithMessages namespaces={['institution', 'home']}>
      <Submissions />
    </WithMessages>
  );
}
