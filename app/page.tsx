import { clsx } from 'clsx';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getContext } from '../server/http/context.ts';
import { clientAddressOf } from '../server/http/node.ts';
import { createCaller } from '../server/http/trpc/router.ts';
import { AtAGlance } from './_home/at-a-glance.tsx';
import { HowItWorks } from './_home/how-it-works.tsx';
import { Lookup } from './_home/lookup.tsx';
import { PublicAndPrivate } from './_home/public-and-private.tsx';
import { StartLinks } from './_home/start-links.tsx';
import { WithMessages } from './_i18n/translated.tsx';
import { translator } from './_i18n/translator.ts';
import { Queries } from './_trpc/query-provider.tsx';
import { settle } from './_trpc/settled.ts';
import { LocalLink } from './_ui/local-link.tsx';
import { YouDecide } from './_ui/pictures/you-decide.tsx';
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
  const settled = reference === '' ? null : await settle(call.lookUp({ reference }));
  const renderedAt = new Date().toISOString();

  return (
    <WithMessages namespaces={['home']}>
      <div className="page grid gap-x-16 gap-y-8 pt-8 pb-6 sm:pt-16 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:pb-20">
        <div>
          <h1 className="max-w-[14ch] text-3xl">{t('hero.title')}</h1>
          <p className="mt-5 max-w-form text-lg text-muted">{t('hero.lead')}</p>
          <div className="mt-8">
            <StartLinks />
          </div>
          <div className="mt-8 max-w-form border-t border-line pt-8">
            <Queries>
              <Lookup suffix={DOMAIN_SUFFIX} first={settled && { reference, settled }} renderedAt={renderedAt} />
            </Queries>
            <p className="mt-3">
              <LocalLink href="/explore" className={clsx(textLink, 'inline-flex min-h-11 items-center')}>
                {t('lookup.explore')}
              </LocalLink>
            </p>
          </div>
        </div>
        <YouDecide className="w-full max-lg:hidden" />
      </div>

      <div className="page space-y-10 py-6 sm:space-y-16 sm:py-10">
        <HowItWorks />
        <AtAGlance />
      </div>

      <div className="mt-6 border-t border-line bg-sunken py-8 sm:py-16">
        <div className="page">
          <PublicAndPrivate />
        </div>
      </div>
      <SiteMap />
    </WithMessages>
  );
}
