import type { Metadata } from 'next';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { publicMetadata } from '../../_ui/page-metadata.ts';
import { textLink } from '../../_ui/text-link.ts';
import { Text } from '../code.tsx';
import { find, indexOf } from './find.ts';

const TITLE = 'Search the API reference';

export const metadata: Metadata = {
  ...publicMetadata(TITLE, 'Requests, fields and error codes.'),
  robots: { index: false },
};

const KINDS = [
  ['request', 'Requests'],
  ['field', 'Fields'],
  ['error', 'Error codes'],
] as const;

let index: ReturnType<typeof indexOf> | undefined;

type SearchPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** What a search in the API reference found. It is made on the server: no page loads an index. */
export default async function DevelopersSearchPage({ searchParams }: SearchPageProps) {
  const { q } = await searchParams;
  const typed = (typeof q === 'string' ? q : '').slice(0, 100);
  index ??= indexOf(describedApi());
  const { hits, hasMore } = find(index, typed);
  return (
    <>
      <h1 className="wrap-anywhere">{typed.trim() === '' ? TITLE : `Results for “${typed.trim()}”`}</h1>
      {hits.length === 0 && (
        <p className="mt-4 max-w-prose text-muted">
          {typed.trim() === ''
            ? 'Type a part of the name of a request, a field or an error code.'
            : 'Nothing was found. Names of fields and codes are found by their beginnings: “beo”, “expires”, “NONCE”.'}
        </p>
      )}
      {KINDS.map(([kind, name]) => {
        const found = hits.filter((hit) => hit.kind === kind);
        if (found.length === 0) return null;
        return (
          <section key={kind} className="mt-6">
            <h2>{name}</h2>
            <ul className="mt-2 border-b border-line">
              {found.map(({ name: title, href, where, text }) => (
                <li key={`${href} ${where}`} className="border-t border-line py-2">
                  <LocalLink href={href} className={`${textLink} wrap-anywhere`}>
                    {title}
                  </LocalLink>{' '}
                  <span className="text-sm text-muted wrap-anywhere">{where}</span>
                  {text !== '' && (
                    <p className="line-clamp-2 max-w-prose text-sm">
                      <Text>{text}</Text>
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {hasMore && <p className="mt-4 text-muted">There is more. Type another word to narrow it down.</p>}
    </>
  );
}
