import type { ReactNode } from 'react';
import { LocalLink } from '../_ui/local-link.tsx';
import { SiteMap } from '../_ui/site-footer.tsx';

const PAGES = [
  ['Overview', '/developers'],
  ['Error codes', '/developers/errors'],
  ['Check a signature', '/developers/signature'],
] as const;

/** The pages for integrators. They are in English only, also where the rest of the page is not. */
export default function DevelopersLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <div lang="en" className="page pt-4 pb-16">
        <nav aria-label="API reference" className="print:hidden">
          <ul className="flex flex-wrap gap-x-6 border-b border-line text-sm">
            {PAGES.map(([name, path]) => (
              <li key={path}>
                <LocalLink
                  href={path}
                  className="inline-flex min-h-11 items-center underline underline-offset-[0.2em] hover:decoration-2"
                >
                  {name}
                </LocalLink>
              </li>
            ))}
            <li>
              <a
                href="/api/openapi.json"
                className="inline-flex min-h-11 items-center underline underline-offset-[0.2em] hover:decoration-2"
              >
                OpenAPI document
              </a>
            </li>
          </ul>
        </nav>
        <div className="pt-8">{children}</div>
      </div>
      <SiteMap />
    </>
  );
}
