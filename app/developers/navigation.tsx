import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiOperation } from '../../server/http/openapi/model.ts';
import { Button } from '../_ui/button.tsx';
import { Folded } from '../_ui/folded.tsx';
import { GUIDES } from './guides/guides.ts';
import { PageLink } from './page-link.tsx';

const PAGES = [
  ['Overview', '/developers'],
  ['Error codes', '/developers/errors'],
  ['Check a signature', '/developers/signature'],
] as const;

type NavigationProps = {
  operations: readonly Pick<ApiOperation, 'id' | 'title' | 'tag'>[];
  tags: readonly string[];
};

/** The pages of the API reference and their search, beside every one of them; folded on a phone. */
export function Navigation({ operations, tags }: NavigationProps) {
  return (
    <Folded id="all-pages" title="All pages and search" className="lg:max-h-svh lg:overflow-y-auto lg:px-1 lg:pb-6">
      <search>
        <form action="/developers/search" className="flex pt-1">
          <input
            type="search"
            name="q"
            aria-label="Search requests, fields and error codes"
            placeholder="Request, field, code"
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="min-h-11 w-full min-w-0 rounded-l-md border-2 border-r-0 border-edge bg-surface px-3 text-ink placeholder:text-muted hover:border-ink"
          />
          <Button type="submit" look="secondary" size="icon" className="rounded-l-none" aria-label="Search">
            <Search aria-hidden />
          </Button>
        </form>
      </search>
      <nav aria-label="API reference" className="text-sm">
        <Group>
          {PAGES.map(([name, path]) => (
            <PageLink key={path} href={path}>
              {name}
            </PageLink>
          ))}
          <li>
            <a
              href="/api/openapi.json"
              className="block border-l-2 border-transparent py-1 underline-offset-[0.2em] hover:underline"
            >
              OpenAPI document
            </a>
          </li>
        </Group>
        <Group name="Guides">
          {GUIDES.map(({ slug, name }) => (
            <PageLink key={slug} href={`/developers/guides/${slug}`}>
              {name}
            </PageLink>
          ))}
        </Group>
        {tags.map((tag) => (
          <Group key={tag} name={tag}>
            {operations
              .filter((operation) => operation.tag === tag)
              .map(({ id, title }) => (
                <PageLink key={id} href={`/developers/${id}`}>
                  {title}
                </PageLink>
              ))}
          </Group>
        ))}
      </nav>
    </Folded>
  );
}

function Group({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <>
      {name && <h2 className="mt-4 text-sm">{name}</h2>}
      <ul className="mt-1">{children}</ul>
    </>
  );
}
