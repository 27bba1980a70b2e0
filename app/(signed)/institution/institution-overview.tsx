'use client';

import { BookOpenText, FileUp } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../_session/current.tsx';
import { Button } from '../../_ui/button.tsx';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';
import { Inbox } from './inbox-list.tsx';

/** Loaded after the page. */
const loadFacts = async () => (await import('./institution-facts.tsx')).InstitutionFacts;
const InstitutionFacts = deferred(loadFacts, <TableSkeleton />);

/** The inbox of an institution, what everyone can see of it, and its latest entries. */
export function InstitutionOverview() {
  const t = useTranslations('institution.overview');
  const { view, kept } = useInstitution();
  useLoadMeanwhile(loadFacts);
  return (
    <div className="space-y-6">
      <h1 className="line-clamp-2 text-2xl break-words" title={view.display_name ?? kept.domain}>
        {view.display_name ?? kept.domain}
      </h1>
      {view.status === 'ACTIVE' && (
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button asChild size="large">
            <LocalLink href="/institution/submit">
              <FileUp aria-hidden />
              {t('submit')}
            </LocalLink>
          </Button>
          <Button asChild look="secondary" size="large">
            <LocalLink href="/institution/read">
              <BookOpenText aria-hidden />
              {t('read')}
            </LocalLink>
          </Button>
        </div>
      )}
      <Inbox institution={view} />
      <InstitutionFacts institution={view} />
    </div>
  );
}
