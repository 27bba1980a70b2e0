'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import type { MouseEvent, ReactNode } from 'react';
import { LANGUAGE_KEY, LANGUAGES, type Language } from '../../messages/languages.ts';

const NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português', es: 'Español' };

/** `mark`: beside the language of the page. */
type LanguageSwitchProps = { locale: Language; label: string; mark: ReactNode };

/** Keeps the choice in this browser, for pages whose address names no language. */
function rememberLanguage(lang: Language): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, lang);
  } catch {
    // Without storage, the links of this page still keep the language.
  }
}

/**
 * Links to the same page in the other languages. They keep the rest of the address, and work without scripts; with scripts, the
 * page keeps its state, such as an open key or typed words.
 */
export function LanguageSwitch({ locale, label, mark }: LanguageSwitchProps) {
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
    rememberLanguage(lang);
    router.replace(inLanguage(lang), { scroll: false });
    router.refresh();
  };
  return (
    <nav aria-label={label}>
      <ul>
        {LANGUAGES.map((lang) => (
          <li key={lang}>
            <a
              href={inLanguage(lang)}
              onClick={change(lang)}
              lang={lang}
              hrefLang={lang}
              aria-current={lang === locale ? 'true' : undefined}
              className="flex min-h-11 items-center justify-between gap-3 rounded-md px-3 font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current]:text-ink"
            >
              {NAMES[lang]}
              {lang === locale && mark}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
