'use client';

import { localeOf } from './_i18n/locales.ts';
import en from './messages/en/broken.ts';
import es from './messages/es/broken.ts';
import pt from './messages/pt-BR/broken.ts';
import './_ui/styles/global.css';
import { Broken } from './_ui/broken.tsx';
import { useBrowser } from './_ui/now.ts';

const TEXTS = { en, es, 'pt-BR': pt };

/** Stands in for the layout itself when that fails, so it brings its own document, and its own words. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const locale = useBrowser()
    ? localeOf(new URLSearchParams(location.search).get('lang'), navigator.languages.join(','))
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
