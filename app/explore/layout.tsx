import type { ReactNode } from 'react';
import { translator } from '../_i18n/translator.ts';
import { SiteMap } from '../_ui/site-footer.tsx';
import { Search } from './search.tsx';

/** The search is above every page of the explorer. */
export default async function ExploreLayout({ children }: { children: ReactNode }) {
  const t = await translator('explore');
  return (
    <div className="desk flex min-h-svh flex-col print:block">
      <div className="border-b border-line bg-surface py-2 print:hidden">
        <div className="page">
          <Search
            label={t('search.label')}
            placeholder={t('search.placeholder')}
            submit={t('search.submit')}
            looking={t('search.looking')}
          />
        </div>
      </div>
      <div className="grow">{children}</div>
      <SiteMap />
    </div>
  );
}
