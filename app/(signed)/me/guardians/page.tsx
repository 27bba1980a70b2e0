import type { Metadata } from 'next';
import { getContext } from '../../../../server/context.ts';
import { WithMessages } from '../../../intl/translated.tsx';
import { translator } from '../../../intl/translator.ts';
import { MyGuardians } from '../../../my-guardians/my-guardians.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await translator('myGuardians'))('title') };
}

export default function GuardiansPage() {
  return (
    <WithMessages namespaces={['myGuardians']}>
      <MyGuardians mails={getContext().outbox !== null} />
    </WithMessages>
  );
}
