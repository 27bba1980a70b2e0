import type { ApiError } from '../../server/http/openapi/model.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

/** Error codes with their sentences, each a link to its page. */
export function ErrorList({ errors, withStatus = false }: { errors: readonly ApiError[]; withStatus?: boolean }) {
  return (
    <dl className="mt-2 max-w-prose">
      {errors.map(({ code, status, sentence }) => (
        <div key={code} className="border-t border-line py-2">
          <dt>
            {withStatus && <span className="mr-3 text-sm text-muted tabular-nums">{status}</span>}
            <LocalLink
              href={`/developers/errors/${code}`}
              className={`${textLink} inline-block py-1 font-mono text-sm wrap-anywhere`}
            >
              {code}
            </LocalLink>
          </dt>
          <dd className="text-sm">{sentence}</dd>
        </div>
      ))}
    </dl>
  );
}
