import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getContext } from '../../../server/context.ts';
import { clientAddressOf } from '../../../server/http/node.ts';
import { createCaller } from '../../../server/http/trpc/router.ts';
import { WithMessages } from '../../_i18n/translated.tsx';
import { translator } from '../../_i18n/translator.ts';
import { Queries } from '../../_trpc/provider.tsx';
import { settle } from '../../_trpc/settled.ts';
import { Answer } from '../answer.tsx';
import { firstAnswer } from '../first-answer.ts';
import { exploredReference } from '../reference.ts';
import { Search } from '../search.tsx';

type ReferencePageProps = { params: Promise<{ reference: string }> };

/** Private: not indexed, and without the reference in previews. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await translator('explore');
  return { description: null, robots: { index: false }, openGraph: { title: t('title') } };
}

/** The page about a reference: its state, its history and its proof. */
export default async function ReferencePage({ params }: ReferencePageProps) {
  const services = getContext();
  const suffix = services.config.DOMAIN_SUFFIX;
  const reference = exploredReference(written((await params).reference), suffix);
  const call = createCaller({ services, address: clientAddressOf(await headers()) });
  const first = await firstAnswer(call, reference, settle);

  return (
    <WithMessages namespaces={['explore', 'home', 'operations', 'scope']}>
      <Queries>
        <div className="page pt-6 pb-16 sm:pt-8">
          <Answer
            key={reference}
            reference={reference}
            suffix={suffix}
            first={first}
            renderedAt={new Date(services.now()).toISOString()}
          />
          <div className="mt-14 max-w-prose border-t border-line pt-8 print:hidden">
            <Search key={reference} suffix={suffix} />
          </div>
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
