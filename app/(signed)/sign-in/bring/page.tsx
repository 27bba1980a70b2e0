import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { BringKey } from './bring-key.tsx';

/** Brings an existing key into this browser. */
export default function BringPage() {
  return (
    <div className="page pt-8 pb-20">
      <div className="max-w-form">
        <WithMessages namespaces={['signIn']}>
          <BringKey suffix={getContext().config.DOMAIN_SUFFIX} />
        </WithMessages>
      </div>
    </div>
  );
}
