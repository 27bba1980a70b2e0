import { AccessLog } from '../../../access/access-log.tsx';
import { WithMessages } from '../../../intl/translated.tsx';

export default function AccessPage() {
  return (
    <WithMessages namespaces={['access', 'scope']}>
      <AccessLog />
    </WithMessages>
  );
}
