'use client';

import { BookOpenText, FileUp } from 'lucide-react';
import { useFormatter, useLocale, useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../protocol/entities/ieo.ts';
import { useInstitution } from '../../_session/current.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { countryName } from '../../_ui/country-name.ts';
import { deferred } from '../../_ui/deferred.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Fact } from '../../_ui/scope-summary.tsx';
import { LoadingWords, TableSkeleton } from '../../_ui/skeletons.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { CertificationCard } from './certification/certification-card.tsx';
import { Decisions } from './decisions.tsx';
import { Inbox } from './inbox-list.tsx';
import { countsOf } from './received-filter.ts';
import { useReceived } from './use-received-consents.ts';

/** Loaded after the page. */
const loadLatest = async () => (await import('./latest-entries.tsx')).LatestEntries;
const LatestEntries = deferred(loadLatest, <TableSkeleton />);

/** The status of an institution. */
export function InstitutionOverview() {
  const t = useTranslations('institution.overview');
  const { view, kept } = useInstitution();
  const words = useScopeWords();
  const day = useDay();
  const locale = useLocale();
  useLoadMeanwhile(loadLatest);
  const facts = [
    ['domain', view.domain],
    [
      'type',
      <span key="type" className="block first-letter:uppercase">
        {words.ieoType(view.ieo_type)}
      </span>,
    ],
    ['country', view.country && countryName(view.country, locale)],
    ['jurisdiction', view.jurisdiction],
    ['legalId', view.legal_id],
    ['registered', day(view.created_at)],
  ] as const;
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
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-2">
        <ActiveConsents ieoId={view.ieo_id} />
        <CertificationCard institution={view} isLinked />
        <Card className="space-y-3">
          <h2>{t('facts')}</h2>
          <dl className="space-y-2">
            {facts.map(
              ([name, value]) =>
                value && (
                  <Fact key={name} name={t(name)}>
                    {value}
                  </Fact>
                ),
            )}
            {view.public_key && (
              <Fact name={t('key')}>
                <Identifier value={view.public_key} what="publicKey" keep={8} />
              </Fact>
            )}
            <Fact name={t('id')}>
              <Identifier value={view.ieo_id} what="id" keep={8} />
            </Fact>
          </dl>
        </Card>
        <Contacts contacts={view.contacts} canChange={view.status === 'ACTIVE'} />
      </div>
      <Decisions ieoId={view.ieo_id} />
      <LatestEntries id={view.ieo_id} renderedAt={view.updated_at} />
    </div>
  );
}

/** The counts of the list of received consents. */
function ActiveConsents({ ieoId }: { ieoId: string }) {
  const t = useTranslations('institution.overview');
  const format = useFormatter();
  const { consents, failure, isComplete } = useReceived(ieoId, { pages: 1 });
  const counts = consents && countsOf(consents);
  return (
    <Card className="space-y-2">
      <h2>{t('consents')}</h2>
      {!counts && (failure ? <Refused failure={failure} /> : <LoadingWords />)}
      {counts && (
        <>
          {counts.active > 0 && (
            <p className="tabular-nums text-3xl font-bold">
              {isComplete ? format.number(counts.active) : t('consentsMore', { count: counts.active })}
            </p>
          )}
          {isComplete && <p className="text-muted">{t('consentsOf', { count: counts.people })}</p>}
          <p>
            <LocalLink href="/institution/consents" className={textLink}>
              {t('seeConsents')}
            </LocalLink>
          </p>
        </>
      )}
    </Card>
  );
}

function Contacts({ contacts, canChange }: { contacts: IeoView['contacts']; canChange: boolean }) {
  const { api_endpoint: api, webhook_url: webhook } = contacts;
  const t = useTranslations('institution.overview');
  return (
    <Card className="space-y-3">
      <h2>{t('contacts')}</h2>
      {!api && !webhook && <p className="text-muted">{t('noContacts')}</p>}
      <dl className="space-y-2 empty:hidden">
        {api && <Fact name={t('api')}>{api}</Fact>}
        {webhook && <Fact name={t('webhook')}>{webhook}</Fact>}
      </dl>
      {canChange && (
        <p>
          <LocalLink href="/institution/settings#contacts" className={textLink}>
            {t('changeContacts')}
          </LocalLink>
        </p>
      )}
    </Card>
  );
}
