import { WithMessages } from '../../_i18n/translated.tsx';
import { Ask } from './ask.tsx';

/** A request of an institution for a consent, in the text after `#`. Protocol §11. */
export default function AskPage() {
  return (
    <div className="page py-8">
      <WithMessages namespaces={['ask', 'scope']}>
        <Ask />
      </WithMessages>
    </div>
  );
}
