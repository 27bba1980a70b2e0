import { Search } from 'lucide-react';
import type { Metadata } from 'next';
import { folded } from '../../protocol/folded-text.ts';
import { translator } from '../_i18n/translator.ts';
import { Button } from '../_ui/button.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { ProsePage } from '../_ui/prose-page.tsx';
import { textLink } from '../_ui/text-link.ts';

const TOPICS = [
  ['key', '/create'],
  ['copy', '/me/safety'],
  ['lostKey', '/recover'],
  ['lostDevice', '/sign-in/bring'],
  ['stolen', '/me/safety'],
  ['guardian', '/me/guardians'],
  ['lostGuardian', '/me/guardians'],
  ['asGuardian', '/guardian'],
  ['consent', '/me/consents'],
  ['access', '/me/access'],
  ['share', '/me/shares'],
  ['public', '/#public'],
  ['destroy', '/me/destroy'],
  ['check', '/explore'],
  ['institution', '/register'],
  ['cost', '/terms'],
] as const;

type HelpPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ searchParams }: HelpPageProps): Promise<Metadata> {
  const t = await translator('help');
  return {
    ...publicMetadata(t('title'), t('lead')),
    ...((await searchParams).q !== undefined && { robots: { index: false } }),
  };
}

/** Questions and answers. The search is a form, so that it needs no script. */
export default async function HelpPage({ searchParams }: HelpPageProps) {
  const { q, lang } = await searchParams;
  const query = typeof q === 'string' ? q.trim().slice(0, 100) : '';
  const words = folded(query).split(/\s+/);
  const t = await translator('help');
  const topics = TOPICS.map(([name, path]) => ({
    name,
    path,
    question: t(`topics.${name}.question`),
    answer: t(`topics.${name}.answer`),
    link: t(`topics.${name}.link`),
  }));
  const found = topics.filter(({ question, answer }) => {
    const text = folded(`${question} ${answer}`);
    return words.every((word) => text.includes(word));
  });
  return (
    <ProsePage title={t('title')} lead={t('lead')}>
      <search>
        <form action="/help" className="mt-8">
          {typeof lang === 'string' && <input type="hidden" name="lang" value={lang} />}
          <label htmlFor="q" className="block text-lg font-bold">
            {t('search')}
          </label>
          <div className="mt-3 flex flex-col gap-3 sm:flex-row">
            <input
              id="q"
              name="q"
              type="search"
              maxLength={100}
              defaultValue={query}
              className="min-h-13 w-full min-w-0 grow rounded-md border-2 border-edge bg-surface px-4 text-lg text-ink hover:border-ink"
            />
            <Button type="submit" size="large">
              <Search aria-hidden />
              {t('submit')}
            </Button>
          </div>
        </form>
      </search>
      {query !== '' && (
        <p className="mt-6">
          {t('found', { count: found.length, query })}{' '}
          <LocalLink href="/help" className={textLink}>
            {t('all')}
          </LocalLink>
        </p>
      )}
      <div className="mt-6 border-b border-line">
        {found.map(({ name, path, question, answer, link }) => (
          <details key={name} id={name} open={query !== ''} className="border-t border-line">
            <summary className="min-h-11 cursor-pointer py-3">
              <h2 className="inline text-lg">{question}</h2>
            </summary>
            <p>{answer}</p>
            <LocalLink href={path} className={`${textLink} mb-3 inline-flex min-h-11 items-center`}>
              {link}
            </LocalLink>
          </details>
        ))}
      </div>
      <p className="mt-8">
        {t('more')}{' '}
        <LocalLink href="/contact" className={textLink}>
          {t('contact')}
        </LocalLink>
      </p>
    </ProsePage>
  );
}
