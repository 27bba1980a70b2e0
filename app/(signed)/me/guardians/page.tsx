import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { MyGuardians } from './my-guardians.tsx';

export default function GuardiansPage() {
  return (
    <WithMessages namespaces={['myGuardians']}>
      <MyGuardians mails={getContext().outbox !== null} />
    </WithMessages>
  );
}
