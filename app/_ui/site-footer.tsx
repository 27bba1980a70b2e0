import { translator } from '../_i18n/translator.ts';
import { isPage, placesIn } from '../public-pages.ts';
import { LocalLink } from './local-link.tsx';
import { Logo } from './logo.tsx';

/** The sections of the map. */
const SECTIONS = ['people', 'institutions', 'machines'] as const;

type Section = (typeof SECTIONS)[number] | 'about';

const link = 'inline-flex min-h-11 items-center underline decoration-1 underline-offset-[0.2em] hover:decoration-2';

/** The last line of every page. */
export async function SiteFooter({ version }: { version: string }) {
  const t = await translator('shell');
  return (
    <footer className="border-t border-line text-sm text-muted print:hidden">
      <div className="page flex flex-wrap items-center gap-x-6 py-2">
        <p className="mr-auto py-2">
          {t('name')} {version}
        </p>
        <nav aria-label={t('footer.about')}>
          <Places section="about" className="flex flex-wrap gap-x-5" />
        </nav>
      </div>
    </footer>
  );
}

/** The map of the site, below the content of public pages. */
export async function SiteMap() {
  const t = await translator('shell');
  return (
    <div className="print:hidden bg-bedrock text-on-bedrock [--focus:var(--on-bedrock)]">
      <div className="page grid grid-cols-2 gap-x-6 gap-y-6 py-8 sm:gap-x-8 sm:gap-y-10 sm:py-12 lg:grid-cols-[1.4fr_1fr_1fr_1fr]">
        <div className="max-sm:col-span-2">
          <p className="flex items-center gap-2.5 text-xl font-bold">
            <Logo className="size-8" />
            {t('name')}
          </p>
          <p className="mt-3 max-w-form text-sm text-on-bedrock-muted">{t('footer.nothingElse')}</p>
        </div>
        {SECTIONS.map((section) => (
          <nav key={section} aria-label={t(`footer.${section}`)} className="max-sm:last:col-span-2">
            <h2 className="text-base">{t(`footer.${section}`)}</h2>
            <Places section={section} />
          </nav>
        ))}
      </div>
    </div>
  );
}

/** A list of links. What only machines read is no page, so the browser opens it itself. */
async function Places({ section, className }: { section: Section; className?: string }) {
  const t = await translator('shell');
  return (
    <ul className={className}>
      {placesIn(section).map(({ name, path }) => {
        const To = isPage(path) ? LocalLink : 'a';
        return (
          <li key={path}>
            <To href={path} className={link}>
              {t(`footer.${name}`)}
            </To>
          </li>
        );
      })}
    </ul>
  );
}
