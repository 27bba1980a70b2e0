import { translator } from '../_i18n/translator.ts';
import { LocalLink } from './local-link.tsx';
import { Logo } from './logo.tsx';

const PEOPLE = [
  ['create', '/create'],
  ['recover', '/recover'],
  ['guardian', '/guardian'],
  ['explore', '/explore'],
  ['public', '/#public'],
] as const;

const INSTITUTIONS = [
  ['register', '/register'],
  ['institution', '/institution'],
  ['institute', '/institute'],
] as const;

const MACHINES = [
  ['developers', '/developers'],
  ['ledger', '/api/ledger'],
  ['entries', '/api/ledger/entries'],
  ['script', '/check-proof.mjs'],
  ['ready', '/ready'],
  ['health', '/health'],
] as const;

/** The pages about this service, also in the menu of the header. */
export const ABOUT = [
  ['help', '/help'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['contact', '/contact'],
  ['network', '/explore#network'],
] as const;

/** The sections of the map. */
const SECTIONS = [
  { section: 'people', places: PEOPLE },
  { section: 'institutions', places: INSTITUTIONS },
  { section: 'machines', places: MACHINES },
] as const;

type PlaceName = (typeof PEOPLE | typeof INSTITUTIONS | typeof MACHINES | typeof ABOUT)[number][0];

const PAGES: ReadonlySet<string> = new Set([...PEOPLE, ...INSTITUTIONS, ...ABOUT, MACHINES[0]].map(([, path]) => path));

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
          <Places places={ABOUT} className="flex flex-wrap gap-x-5" />
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
        {SECTIONS.map(({ section, places }) => (
          <nav key={section} aria-label={t(`footer.${section}`)} className="max-sm:last:col-span-2">
            <h2 className="text-base">{t(`footer.${section}`)}</h2>
            <Places places={places} />
          </nav>
        ))}
      </div>
    </div>
  );
}

type PlacesProps = { places: readonly (readonly [PlaceName, string])[]; className?: string };

/** A list of links. What only machines read is no page, so the browser opens it itself. */
async function Places({ places, className }: PlacesProps) {
  const t = await translator('shell');
  return (
    <ul className={className}>
      {places.map(([name, path]) => {
        const To = PAGES.has(path) ? LocalLink : 'a';
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
