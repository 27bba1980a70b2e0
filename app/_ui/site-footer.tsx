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
  ['network', '/#network'],
] as const;

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
          <ul className="flex flex-wrap gap-x-5">
            {ABOUT.map(([name, path]) => (
              <li key={path}>
                <LocalLink href={path} className={link}>
                  {t(`footer.${name}`)}
                </LocalLink>
              </li>
            ))}
          </ul>
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
      <div className="page grid gap-x-8 gap-y-10 py-12 sm:grid-cols-2 lg:grid-cols-[1.4fr_1fr_1fr_1fr]">
        <div>
          <p className="flex items-center gap-2.5 text-xl font-bold">
            <Logo className="size-8" />
            {t('name')}
          </p>
          <p className="mt-3 max-w-form text-sm text-on-bedrock-muted">{t('footer.nothingElse')}</p>
        </div>
        {[
          { title: t('footer.people'), places: PEOPLE },
          { title: t('footer.institutions'), places: INSTITUTIONS },
        ].map(({ title, places }) => (
          <nav key={title} aria-label={title}>
            <h2 className="text-base">{title}</h2>
            <ul>
              {places.map(([name, path]) => (
                <li key={path}>
                  <LocalLink href={path} className={link}>
                    {t(`footer.${name}`)}
                  </LocalLink>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <nav aria-label={t('footer.machines')}>
          <h2 className="text-base">{t('footer.machines')}</h2>
          <ul>
            {MACHINES.map(([name, path]) => (
              <li key={path}>
                <a href={path} className={link}>
                  {t(`footer.${name}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}
