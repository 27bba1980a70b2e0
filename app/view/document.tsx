import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { createTranslator } from 'use-intl/core';
import { LANGUAGES, type Language } from '../../messages/languages.ts';
import { biomarkerNamesIn, type Messages, type Namespace } from '../../messages/messages.ts';
import { compiledFor } from '../_i18n/compiled.ts';
import { EARLY_SCRIPT } from '../_ui/early-script.ts';
import { Logo } from '../_ui/logo.tsx';
import { titlesIn } from '../titles.ts';
import { type Texts, ViewApp } from './view-app.tsx';

/** The built files that the document names, by their addresses. */
export interface Built {
  readonly script: string;
  readonly style: string;
}

const NAMESPACES: readonly Namespace[] = ['view', 'records', 'clinical', 'scope', 'common'];

/**
 * The document of /view in each language: whole pages, made with the build. Next's pages load 150 kB of scripts before they do
 * anything; this one is for old computers. The server puts the id of the ledger into it: server/http/viewer.ts.
 */
export const documents = (built: Built): Readonly<Record<string, string>> =>
  Object.fromEntries(LANGUAGES.map((locale) => [locale, documentIn(locale, built)]));

function documentIn(locale: Language, built: Built): string {
  const texts: Texts = { locale, messages: compiledFor(locale, NAMESPACES), names: biomarkerNamesIn(locale) };
  const content = renderToString(<ViewApp {...texts} />);
  return `<!DOCTYPE html>${renderToStaticMarkup(<ViewDocument texts={texts} content={content} {...built} />)}`;
}

/** JSON in a script element: no text in it may end the element. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português', es: 'Español' };

type ViewDocumentProps = Built & { texts: Texts; content: string };

function ViewDocument({ texts, content, script, style }: ViewDocumentProps) {
  const { locale } = texts;
  const messages = compiledFor(locale, ['view', 'shell']) as Messages;
  const t = createTranslator<Messages>({ locale, messages, timeZone: 'UTC' });
  return (
    <html lang={locale} data-ledger="">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={t('view.lead')} />
        <title>{titlesIn(locale)['/view']}</title>
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="stylesheet" href={style} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, whose digest the policy allows */}
        <script dangerouslySetInnerHTML={{ __html: EARLY_SCRIPT }} />
        <script type="module" src={script} />
      </head>
      <body className="flex min-h-svh flex-col">
        <header className="border-b border-line bg-surface print:hidden">
          <div className="page flex min-h-14 flex-wrap items-center gap-x-6">
            <a href="/" aria-label={t('shell.home')} className="flex min-h-11 items-center gap-2.5 rounded-sm">
              <Logo className="size-8 text-accent" />
              <span className="text-xl font-bold tracking-tight">{t('shell.name')}</span>
            </a>
            <nav id="languages" aria-label={t('shell.language')} className="ml-auto">
              <ul className="flex flex-wrap gap-x-4">
                {LANGUAGES.map((lang) => (
                  <li key={lang}>
                    <a
                      href={`?lang=${lang}`}
                      lang={lang}
                      hrefLang={lang}
                      data-language={lang}
                      aria-current={lang === locale ? 'true' : undefined}
                      className="flex min-h-11 items-center rounded-sm text-sm font-semibold text-muted hover:text-ink aria-[current]:text-ink aria-[current]:underline"
                    >
                      {NAMES[lang]}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          </div>
        </header>
        <main id="content" className="page grow py-8">
          <noscript>
            <p className="mb-5 font-semibold">{t('view.scripts')}</p>
          </noscript>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: what React rendered */}
          <div id="view" dangerouslySetInnerHTML={{ __html: content }} />
        </main>
        <footer className="border-t border-line text-sm text-muted print:hidden">
          <nav aria-label={t('shell.footer.about')} className="page flex flex-wrap gap-x-5 py-2">
            {(['help', 'privacy', 'terms', 'contact'] as const).map((name) => (
              <a key={name} href={`/${name}`} className="inline-flex min-h-11 items-center underline">
                {t(`shell.footer.${name}`)}
              </a>
            ))}
          </nav>
        </footer>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot end the element */}
        <script id="texts" type="application/json" dangerouslySetInnerHTML={{ __html: inScript(texts) }} />
      </body>
    </html>
  );
}
