import { WithMessages } from '../../../_i18n/translated.tsx';
import { AccessLog } from './access-log.tsx';

export default function AccessPage() {
  return (
    <WithMessages namespaces={['access', 'scope']}>
      <AccessLog />
    </WithMessages>
  );
}
