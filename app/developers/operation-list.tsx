import type { ApiOperation } from '../../server/http/openapi/model.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

type OperationListProps = {
  operations: readonly ApiOperation[];
  tags: readonly { readonly name: string; readonly description: string }[];
};

/** Every request by subject, each a link to its page. */
export function OperationList({ operations, tags }: OperationListProps) {
  return tags.map(({ name, description }) => (
    <section key={name} className="mt-6">
      <h3>{name}</h3>
      <p className="text-muted">{description}</p>
      <ul className="mt-2 border-b border-line">
        {operations
          .filter(({ tag }) => tag === name)
          .map(({ id, title, method, path, signed, forInstitute }) => (
            <li
              key={id}
              className="grid gap-x-6 border-t border-line py-2 md:grid-cols-[20rem_1fr_max-content] md:items-baseline"
            >
              <LocalLink href={`/developers/${id}`} className={`${textLink} py-1`}>
                {title}
              </LocalLink>
              <code translate="no" className="font-mono text-sm break-all">
                {method} {path}
              </code>
              <span className="text-sm text-muted">{forInstitute ? 'institute' : signed ? 'signed' : 'public'}</span>
            </li>
          ))}
      </ul>
    </section>
  ));
}
