import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getContext } from '../../server/context.ts';
import { clientAddressOf } from '../../server/http/node.ts';
import { createCaller } from '../../server/http/trpc/router.ts';
import { WithMessages } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { Queries } from '../_trpc/provider.tsx';
import { settle } from '../_trpc/settled.ts';
import { fitsPath, pageOf } from '../_ui/explore-address.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { LatestEntries } from './latest-entries.tsx';
import { exploredReference } from './reference.ts';
import { Search } from './search.tsx';
import { Terms } from './terms.tsx';
import { UnknownReference } from './unknown-reference.tsx';

const LATEST = 10;

type ExplorePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('explore');
  return publicMetadata(t('title'), t('lead'));
}

/** The explorer: a search field, the latest entries and a glossary. */
export default async function ExplorePage({ searchParams }: ExplorePageProps) {
  const services = getContext();
  const suffix = services.config.DOMAIN_SUFFIX;
  const { q, lang } = await searchParams;
  const reference = typeof q === 'string' ? exploredReference(q, suffix) : '';
  const isMalformed = !fitsPath(reference);
  if (reference !== '' && !isMalformed)
    redirect(`${pageOf(reference)}${typeof lang === 'string' ? `?${new URLSearchParams({ lang })}` : ''}`);
  const t = await translator('explore');
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const first = await settle(call.latest({ limit: LATEST }));

  return (
    <WithMessages namespaces={['explore', 'home', 'operations']}>
      <Queries>
        <div className="page pt-10 pb-16 sm:pt-14">
          {isMalformed ? (
            <UnknownReference reference={reference} suffix={suffix} isMalformed />
          ) : (
            <>
              <h1>{t('title')}</h1>
              <p className="mt-4 max-w-prose text-lg text-muted">{t('lead')}</p>
            </>
          )}
          <div className="mt-8 max-w-prose">
            <Search suffix={suffix} />
          </div>
        </div>
        <section aria-labelledby="latest" className="page pb-16">
          <h2 id="latest" className="mb-5">
            {t('latest.title')}
          </h2>
          <LatestEntries first={first} limit={LATEST} renderedAt={new Date(services.now()).toISOString()} />
        </section>
        <div className="border-t border-line bg-sunken py-14">
          <div className="page">
            <Terms />
          </div>
        </div>
      </Queries>
    </WithMessages>
  );
}
