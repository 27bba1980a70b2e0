import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getContext } from '../../../server/http/context.ts';
import { clientAddressOf } from '../../../server/http/node.ts';
import { createCaller } from '../../../server/http/trpc/router.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { translator } from '../../_i18n/translator.ts';
import { Queries } from '../../_trpc/query-provider.tsx';
import { settle } from '../../_trpc/settled.ts';
import { Answer } from '../answer.tsx';
import { seqIn } from '../entry-address.ts';
import { firstAnswer } from '../first-answer.ts';
import { exploredReference } from '../read-reference.ts';
import { UnknownReference } from '../unknown-reference.tsx';

type ReferencePageProps = {
  params: Promise<{ reference: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** The longest reference that is looked up; the server has the same limit. */
const MAX_REFERENCE = 300;

/** Private: not indexed, and without the reference in previews. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('explore');
  return { description: null, robots: { index: false }, openGraph: { title: t('title') } };
}

/** The page about a reference: its state, its history and its proof. */
export default async function ReferencePage({ params, searchParams }: ReferencePageProps) {
  const services = getContext();
  const suffix = services.config.DOMAIN_SUFFIX;
  const typed = written((await params).reference);
  const reference = exploredReference(typed, suffix);
  const { before, consents, lang } = await searchParams;
  const pages = {
    before: seqIn(before) || null,
    consents: typeof consents === 'string' && consents !== '' ? consents : null,
  };
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const isTooLong = reference.length > MAX_REFERENCE;
  const first = isTooLong ? null : await firstAnswer(call, reference, pages, settle);
  const found = first?.explored.data?.found;
  // A plain number is that of an entry, unless it is or was someone's domain.
  if (found?.kind === 'nothing' && found.destroyed === null && /^\d+$/.test(typed))
    redirect(`/explore/search?${new URLSearchParams({ q: `#${typed}`, ...(typeof lang === 'string' && { lang }) })}`);

  return (
    <WithMessages namespaces={['explore', 'home', 'operations', 'scope', 'entryWords']}>
      <Queries>
        <div className="page pt-6 pb-16 sm:pt-8">
          {first ? (
            <Answer
              key={`${reference} ${JSON.stringify(pages)}`}
              reference={reference}
              suffix={suffix}
              first={first}
              renderedAt={new Date(services.now()).toISOString()}
            />
          ) : (
            <UnknownReference reference={reference} suffix={suffix} isMalformed />
          )}
        </div>
      </Queries>
    </WithMessages>
  );
}

function written(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}
