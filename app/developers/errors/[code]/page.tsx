import type { Metadata } from 'next';
import { ERRORS, type ErrorCode } from '../../../../protocol/errors.ts';
import { describedApi } from '../../../../server/http/openapi/described.ts';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { Breadcrumbs } from '../../../_ui/breadcrumbs.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { publicMetadata } from '../../../_ui/page-metadata.ts';
import { textLink } from '../../../_ui/text-link.ts';
import { Text } from '../../code.tsx';
import { ERROR_GUIDE } from '../../error-guide.ts';
import { MemberTable } from '../../member-table.tsx';
import { membersOf } from '../../members.ts';
import { Unknown } from '../../unknown.tsx';

type ErrorPageProps = { params: Promise<{ code: string }> };

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

export async function generateMetadata({ params }: ErrorPageProps): Promise<Metadata> {
  const { code } = await params;
  return isCode(code) ? publicMetadata(code, ERRORS[code][1]) : {};
}

/** What happened and how to fix it, for one error code. */
export default async function ErrorPage({ params }: ErrorPageProps) {
  const { code } = await params;
  if (!isCode(code)) {
    setPageStatus(404);
    return <Unknown title="There is no such error code" list="All error codes" href="/developers/errors" />;
  }
  const [status, sentence] = ERRORS[code];
  const { happened, fix } = ERROR_GUIDE[code];
  const { operations: all, details, components } = describedApi();
  const operations = all.filter(({ errors }) => errors.some((error) => error.code === code));
  const members = membersOf(details.find(({ codes }) => codes.includes(code))?.schema ?? {}, components);
  return (
    <div className="max-w-prose">
      <Breadcrumbs label="You are here" trail={[{ name: 'Error codes', href: '/developers/errors' }]} here={code} />
      <h1 className="mt-4 font-mono wrap-anywhere" translate="no">
        {code}
      </h1>
      <p className="mt-4 text-lg text-muted">
        Status {status}. {sentence}
      </p>
      <h2 className="mt-8">What happened</h2>
      <p className="mt-2">
        <Text>{happened}</Text>
      </p>
      <h2 className="mt-8">How to fix it</h2>
      <p className="mt-2">
        <Text>{fix}</Text>
      </p>
      {code === 'INVALID_SIGNATURE' && (
        <p className="mt-4">
          <LocalLink href="/developers/signature" className={textLink}>
            Check a signature
          </LocalLink>
        </p>
      )}
      {members.length > 0 && (
        <section className="mt-8">
          <h2 className="mb-2">Details</h2>
          <MemberTable
            id="details"
            caption="Members of details"
            note="Always present"
            members={members}
            noteOf={({ required }) => (required ? 'yes' : 'no')}
          />
        </section>
      )}
      {operations.length > 0 && (
        <details className="mt-8 border-y border-line">
          <summary className="min-h-11 cursor-pointer py-3">
            <h2 className="inline text-lg">Requests that can return it ({operations.length})</h2>
          </summary>
          <ul className="pb-4">
            {operations.map(({ id, title, method, path }) => (
              <li key={id} className="py-1.5">
                <LocalLink href={`/developers/${id}`} className={textLink}>
                  {title}
                </LocalLink>{' '}
                <code translate="no" className="font-mono text-xs break-all text-muted">
                  {method} {path}
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
