import { getContext } from '../../../server/context.ts';
import { Translated } from '../../_i18n/translated.tsx';
import { Institute } from './institute.tsx';

/** Where the keys of the institute decide. What they have decided is public. */
export default function InstitutePage() {
  return (
    <Translated namespaces={['institute', 'scope']}>
      <Institute suffix={getContext().config.DOMAIN_SUFFIX} />
    </Translated>
  );
}
