import { clsx } from 'clsx';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getContext } from '../server/http/context.ts';
import { clientAddressOf } from '../server/http/node.ts';
import { createCaller } from '../server/http/trpc/router.ts';
import { Audiences } from './_home/audiences.tsx';
import { EntryCounts } from './_home/entry-counts.tsx';
import { OverviewProvider } from './_home/home-overview.tsx';
import { LatestEntries } from './_home/latest-entries.tsx';
import { Lookup } from './_home/lookup.tsx';
import { Network } from './_home/network.tsx';
import { PublicAndPrivate } from './_home/public-and-private.tsx';
import { StartLinks } from './_home/start-links.tsx';
import { WithMessages } from './_i18n/translated.tsx';
import { translator } from './_i18n/translator.ts';
import { Queries } from './_trpc/query-provider.tsx';
import { settle } from './_trpc/settled.ts';
import { Alert } from './_ui/alert.tsx';
import { LocalLink } from './_ui/local-link.tsx';
import { normalizeReference } from './_ui/reference.ts';
import { SiteMap } from './_ui/site-footer.tsx';
import { textLink } from './_ui/text-link.ts';

type HomePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** A page with a looked-up reference is not to be indexed. */
export const generateMetadata = async ({ searchParams }: HomePageProps): Promise<Metadata> =>
  (await searchParams).domain === undefined ? {} : { robots: { index: false } };

export default async function HomePage({ searchParams }: HomePageProps) {
  const services = getContext();
  const { DOMAIN_SUFFIX } = services.config;
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const query = (await searchParams).domain;
  const reference = typeof query === 'string' ? normalizeReference(query, DOMAIN_SUFFIX) : '';
  const t = await translator('home');
  const [first, settled] = await Promise.all([
    settle(call.overview()),
    reference === '' ? null : settle(call.lookUp({ reference })),
  ]);
  const renderedAt = new Date().toISOString();

  return (
    <WithMessages namespaces={['home', 'operations']}>
      <Queries>
        <OverviewProvider first={first} renderedAt={renderedAt}>
          <div className="page grid gap-x-16 gap-y-8 pt-8 pb-6 sm:pt-16 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:pb-20">
            <div>
              <h1 className="max-w-[14ch] text-3xl">{t('hero.title')}</h1>
              <p className="mt-5 max-w-form text-lg text-muted">{t('hero.lead')}</p>
              <div className="mt-8">
                <StartLinks />
              </div>
              <div className="mt-8 max-w-form border-t border-line pt-8">
                <Lookup suffix={DOMAIN_SUFFIX} first={settled && { reference, settled }} renderedAt={renderedAt} />
                <p className="mt-3">
                  <LocalLink href="/explore" className={clsx(textLink, 'inline-flex min-h-11 items-center')}>
                    {t('lookup.explore')}
                  </LocalLink>
                </p>
              </div>
            </div>
            <div className="lg:pt-3">
              <EntryCounts />
            </div>
          </div>

          <div className="page py-6 sm:py-10">
            <Audiences />
          </div>

          <section aria-labelledby="latest" className="page py-5 sm:py-12">
            <h2 id="latest">{t('latest.title')}</h2>
            <p className="mt-2 mb-6 max-w-form text-muted">{t('latest.lead')}</p>
            <LatestEntries />
          </section>

          <section id="status" aria-labelledby="network" className="page py-5 sm:py-12">
            <h2 id="network" className="mb-5">
              {t('network.title')}
            </h2>
            {services.network.kind === 'devnet' && (
              <Alert tone="caution" title={t('hero.devnetTitle')} className="mb-5">
                <p>{t('hero.devnet')}</p>
              </Alert>
            )}
            <Network />
          </section>

          <div className="mt-6 border-t border-line bg-sunken py-8 sm:py-16">
            <div className="page">
              <PublicAndPrivate />
            </div>
          </div>
        </OverviewProvider>
      </Queries>
      <SiteMap />
    </WithMessages>
  );
}
