import type { Metadata } from 'next';
import { getContext } from '../../server/context.ts';
import { Translated } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { meantReference } from '../_ui/reference.ts';
import { findSituation } from './find-situation.ts';
import { Helpless } from './helpless.tsx';
import { Recovery } from './recovery.tsx';
import { Start } from './start.tsx';

type Search = Record<string, string | string[] | undefined>;
type RecoverPageProps = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: RecoverPageProps): Promise<Metadata> {
  const t = await translator('recover');
  const description = t('start.lead');
  const { domain } = await searchParams;
  return {
    description,
    openGraph: { title: t('title'), description },
    ...(domain !== undefined && { robots: { index: false } }),
  };
}

/** For somebody who has lost everything but the domain of their identity. */
export default async function RecoverPage({ searchParams }: RecoverPageProps) {
  const context = getContext();
  const search = await searchParams;
  const typed = textIn(search.domain) ?? '';
  const lang = textIn(search.lang);
  const reference = meantReference(typed, context.config.DOMAIN_SUFFIX);
  const situation = reference === '' ? null : await findSituation(context, reference);
  const startHref = lang ? `/recover?${new URLSearchParams({ lang })}` : '/recover';

  return (
    <Translated namespaces={['recover', 'guardian', 'keys', 'scope']}>
      {situation && 'identity' in situation ? (
        <Recovery
          identity={situation.identity}
          guardians={situation.guardians}
          mails={context.outbox !== null}
          renderedAt={new Date(context.now()).toISOString()}
          startHref={startHref}
          helpless={situation.kind === 'helpless' && <Helpless situation={situation} startHref={startHref} />}
        />
      ) : (
        <Start typed={typed} reference={reference} problem={situation?.kind ?? null} lang={lang} />
      )}
    </Translated>
  );
}

const textIn = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null);
