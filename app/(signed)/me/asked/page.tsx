import { WithMessages } from '../../../_i18n/translated.tsx';
import { Asked } from './asked.tsx';

/** A request to sign that came with a link, for example from an assistant (mcp/request-tools.ts). */
export default function AskedPage() {
  return (
    <WithMessages namespaces={['asked', 'scope']}>
      <Asked />
    </WithMessages>
  );
}
