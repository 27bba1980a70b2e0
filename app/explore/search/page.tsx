import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getContext } from '../../../server/http/context.ts';
import { clientAddressOf } from '../../../server/http/node.ts';
import { createCaller } from '../../../server/http/trpc/router.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { translator } from '../../_i18n/translator.ts';
import { settle } from '../../_trpc/settled.ts';
import { publicMetadata } from '../../_ui/page-metadata.ts';
import { SearchOutcome } from '../search-outcome.tsx';
import { searched } from '../searched.ts';

type SearchPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('explore');
  return { ...publicMetadata(t('title'), t('lead')), robots: { index: false } };
}

/** What a search found. One match leads to its page. */
export default async function SearchPage({ searchParams }: SearchPageProps) {
  const services = getContext();
  const { q, lang } = await searchParams;
  const inLanguage = typeof lang === 'string' ? `?${new URLSearchParams({ lang })}` : '';
  const typed = (Array.isArray(q) ? (q[0] ?? '') : (q ?? '')).trim();
  if (typed === '') redirect(`/explore${inLanguage}`);
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const outcome = await searched(call, typed, settle);
  if (outcome.kind === 'page') redirect(`${outcome.href}${inLanguage}`);
  return (
    <WithMessages namespaces={['explore', 'operations', 'scope']}>
      <div className="page pt-8 pb-16">
        <SearchOutcome typed={typed} suffix={services.config.DOMAIN_SUFFIX} outcome={outcome} />
      </div>
    </WithMessages>
  );
}
