'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import type { MouseEvent } from 'react';
import { LANGUAGES, type Language } from '../../messages/languages.ts';

const NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português', es: 'Español' };

type LanguageSwitchProps = { locale: Language; label: string };

/**
 * Links to the same page in the other languages. They keep the rest of the address, and work without scripts; with them, what the
 * page has in memory stays: an open key, words that were typed.
 */
export function LanguageSwitch({ locale, label }: LanguageSwitchProps) {
  const search = useSearchParams();
  const router = useRouter();
  const inLanguage = (lang: Language): string => {
    const parameters = new URLSearchParams(search);
    parameters.set('lang', lang);
    return `?${parameters}`;
  };
  const change = (lang: Language) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.replace(inLanguage(lang), { scroll: false });
    router.refresh();
  };
  return (
    <nav aria-label={label}>
      <ul className="-ml-2 flex flex-wrap gap-x-1">
        {LANGUAGES.map((lang) => (
          <li key={lang}>
            <a
              href={inLanguage(lang)}
              onClick={change(lang)}
              lang={lang}
              hrefLang={lang}
              aria-current={lang === locale ? 'true' : undefined}
              className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-sm px-2 text-sm underline decoration-1 underline-offset-[0.2em] hover:decoration-2 aria-[current]:font-bold aria-[current]:no-underline"
            >
              {NAMES[lang]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
