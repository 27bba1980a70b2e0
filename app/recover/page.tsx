import type { Metadata } from 'next';
import { type Context, getContext } from '../../server/http/context.ts';
import { publicError } from '../../server/http/trpc/trpc-errors.ts';
import { Translated } from '../_i18n/translated.tsx';
import { translator } from '../_i18n/translator.ts';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { normalizeReference } from '../_ui/reference.ts';
import { Recovery } from './recovery.tsx';
import { type Situation, situationOf } from './situation.ts';
import { Start } from './start.tsx';
import { TooFewGuardians } from './too-few-guardians.tsx';

type Search = Record<string, string | string[] | undefined>;
type RecoverPageProps = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: RecoverPageProps): Promise<Metadata> {
  const t = await translator('recover');
  const { domain } = await searchParams;
  return {
    ...publicMetadata(t('title'), t('start.lead')),
    ...(domain !== undefined && { robots: { index: false } }),
  };
}

/** Recovers an identity, starting from nothing but its domain. */
export default async function RecoverPage({ searchParams }: RecoverPageProps) {
  const context = getContext();
  const search = await searchParams;
  const typed = textIn(search.domain) ?? '';
  const lang = textIn(search.lang);
  const reference = normalizeReference(typed, context.config.DOMAIN_SUFFIX);
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
          tooFewGuardians={
            situation.kind === 'tooFewGuardians' && <TooFewGuardians situation={situation} startHref={startHref} />
          }
        />
      ) : (
        <Start typed={typed} reference={reference} problem={situation?.kind ?? null} lang={lang} />
      )}
    </Translated>
  );
}

const textIn = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null);

/** Reads an identity by domain, id or the id of the creating transaction. */
async function findSituation({ readers, now }: Context, reference: string): Promise<Situation> {
  try {
    const beo = await readers.BEO.entity(reference, 'domain');
    if (beo) return situationOf(beo, now());
    return { kind: (await readers.IEO.entity(reference, 'domain')) ? 'institution' : 'unknown' };
  } catch (failure) {
    const { code } = publicError(failure);
    if (code === 'DOMAIN_INVALID' || code === 'VALIDATION_FAILED') return { kind: 'malformed' };
    if (code === 'UNAVAILABLE') return { kind: 'unavailable' };
    throw failure;
  }
}
