import { getContext } from '../../../../server/context.ts';
import { WithMessages } from '../../../intl/translated.tsx';
import { MyGuardians } from '../../../my-guardians/my-guardians.tsx';

export default function GuardiansPage() {
  return (
    <WithMessages namespaces={['myGuardians']}>
      <MyGuardians mails={getContext().outbox !== null} />
    </WithMessages>
  );
}
