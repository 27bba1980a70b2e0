'use client';

import type { Language } from '../messages/languages.ts';
import { languageOf } from '../messages/preferred-language.ts';
import './_ui/styles/global.css';
import { Broken, type BrokenText } from './_ui/broken.tsx';
import { useBrowser } from './_ui/use-browser.ts';

/** The section `common.broken` of every language, which next.config.js puts here at build time. */
const TEXTS: Record<Language, BrokenText> = JSON.parse(process.env.BROKEN_MESSAGES ?? '');

/** Replaces the layout when that fails, so it brings its own document and its own messages. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const locale = useBrowser()
    ? languageOf(new URLSearchParams(location.search).get('lang'), navigator.languages.join(','))
    : 'en';
  return (
    <html lang={locale}>
      <head>
        <title>{TEXTS[locale].title}</title>
      </head>
      <body>
        <main>
          <Broken text={TEXTS[locale]} error={error} retry={retry} />
        </main>
      </body>
    </html>
  );
}
