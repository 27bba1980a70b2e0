import { WithMessages } from '../../../_i18n/translated.tsx';
import { MyShares } from './my-shares.tsx';

/** The links to records of a holder, and who opened them. */
export default function SharesPage() {
  return (
    <WithMessages namespaces={['shares']}>
      <MyShares />
    </WithMessages>
  );
}
