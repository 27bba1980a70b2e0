import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { regionOf } from '../../messages/languages.ts';
import { getContext } from '../../server/http/context.ts';
import { clientAddressOf } from '../../server/http/node.ts';
import { FUNCTIONS } from '../../server/http/trpc/entry-list.ts';
import { createCaller } from '../../server/http/trpc/router.ts';
import { requestLocale } from '../_i18n/request-locale.ts';
import { WithMessages } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { sentenceFor } from '../_trpc/sentence.ts';
import { settle } from '../_trpc/settled.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { Activity } from './activity.tsx';
import { entryQuery } from './entry-address.ts';
import { EntryCounts } from './entry-counts.tsx';
import { Filters } from './entry-filters.tsx';
import { EntryList } from './entry-list.tsx';
import { LedgerNow } from './ledger-now.tsx';
import { Network } from './network.tsx';
import { Terms } from './terms.tsx';
import { Witnesses } from './witnesses.tsx';

type ExplorePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Only the first page of the list is to be indexed. */
export async function generateMetadata({ searchParams }: ExplorePageProps): Promise<Metadata> {
  const t = await translator('explore');
  const { lang: _, ...parameters } = await searchParams;
  const isFirst = Object.keys(parameters).length === 0;
  return { ...publicMetadata(t('title'), t('lead')), ...(!isFirst && { robots: { index: false } }) };
}

/** The explorer: the entries page by page, the activity, the state of ledger and network, and a glossary. */
export default async function ExplorePage({ searchParams }: ExplorePageProps) {
  const services = getContext();
  const parameters = await searchParams;
  const { q, lang } = parameters;
  if (typeof q === 'string') {
    redirect(`/explore/search?${new URLSearchParams({ q, ...(typeof lang === 'string' && { lang }) })}`);
  }
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const t = await translator('explore');
  const words = { t, region: regionOf(await requestLocale()) };
  const testNetwork = services.network.kind === 'devnet';
  const query = entryQuery(parameters);
  const renderedAt = new Date(services.now()).toISOString();
  const [first, now, activity, witnesses] = await Promise.all([
    settle(call.entries(query)),
    settle(call.overview()),
    settle(call.activity()),
    settle(call.witnesses()),
  ]);

  return (
    <WithMessages namespaces={['explore', 'home', 'operations', 'entryWords', 'scope']}>
      <div className="page pt-5">
        <h1>{t('title')}</h1>
        <p className="mt-1 text-muted">{t('lead')}</p>
      </div>
      <section id="latest" aria-labelledby="latest-title" className="page pt-4 pb-10">
        <h2 id="latest-title" className="sr-only">
          {t('latest.title')}
        </h2>
        <Filters filters={query} functions={FUNCTIONS} />
        <EntryList key={JSON.stringify(query)} query={query} first={first} renderedAt={renderedAt} />
      </section>
      {activity.data && <Activity days={activity.data} />}
      {witnesses.data && <Witnesses witnesses={witnesses.data} />}
      <LedgerNow first={now} {...{ renderedAt, testNetwork }}>
        <EntryCounts {...words} state={now.data} />
        <Network
          {...words}
          state={now.data}
          failure={now.failure && sentenceFor(await translator('errors'), now.failure)}
          readAt={services.now()}
          testNetwork={testNetwork}
        />
      </LedgerNow>
      <div className="border-t border-line bg-sunken py-8 lg:py-14">
        <div className="page">
          <Terms />
        </div>
      </div>
    </WithMessages>
  );
}
