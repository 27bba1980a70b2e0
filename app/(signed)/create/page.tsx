import { getContext } from '../../../server/context.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { Create } from './create.tsx';

/** Creates an identity. */
export default function CreatePage() {
  return (
    <div className="page pt-2">
      <WithMessages namespaces={['create', 'guardian']}>
        <Create suffix={getContext().config.DOMAIN_SUFFIX} />
      </WithMessages>
    </div>
  );
}
