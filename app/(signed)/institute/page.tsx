import { getContext } from '../../../server/http/context.ts';
import { Translated } from '../../_i18n/translated.tsx';
import { Institute } from './institute.tsx';

/** The decisions of the institute, which are public. */
export default function InstitutePage() {
  return (
    <Translated namespaces={['institute', 'scope', 'operations', 'entryWords']}>
      <div className="desk">
        <Institute suffix={getContext().config.DOMAIN_SUFFIX} />
      </div>
    </Translated>
  );
}
