import { getContext } from '../../../server/context.ts';
import { Institute } from '../../institute/institute.tsx';
import { Translated } from '../../intl/translated.tsx';

/** Where the keys of the institute decide. What they have decided is public. */
export default function InstitutePage() {
  return (
    <Translated namespaces={['institute', 'scope']}>
      <Institute suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
