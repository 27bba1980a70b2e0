import type { ReactNode } from 'react';
import { describedApi } from '../../server/http/openapi/described.ts';
import { TAG_DESCRIPTIONS } from '../../server/http/openapi/tags.ts';
import { SiteMap } from '../_ui/site-footer.tsx';
import { Navigation } from './navigation.tsx';

/** The pages for integrators. They are in English only, also where the rest of the page is not. */
export default function DevelopersLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <div
        lang="en"
        className="desk page gap-x-10 pt-4 pb-16 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:items-start print:block"
      >
        <div className="lg:sticky lg:top-0">
          <Navigation operations={describedApi().operations} tags={TAG_DESCRIPTIONS.map(({ name }) => name)} />
        </div>
        <div className="pt-4 lg:pt-2">{children}</div>
      </div>
      <SiteMap />
    </>
  );
}
