import { Search } from 'lucide-react';
import { chosenLocale } from '../_i18n/request-locale.ts';
import { translator } from '../_i18n/translator.ts';
import { Button } from './button.tsx';

/** The search of the explorer for the header: a plain form, without scripts. Hidden on pages that have the search themselves. */
export async function LedgerSearch({ className }: { className: string }) {
  const t = await translator('explore');
  const lang = await chosenLocale();
  return (
    <search className={`${className} [body:has(#ledger-search)_&]:hidden`}>
      <form action="/explore/search" className="flex min-w-0 grow">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <input
          type="search"
          name="q"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          className="min-h-11 w-full min-w-0 rounded-l-md border-2 border-r-0 border-edge bg-ground px-3 text-ellipsis text-ink placeholder:text-muted hover:border-ink"
        />
        <Button type="submit" look="secondary" size="icon" className="rounded-l-none" aria-label={t('search.submit')}>
          <Search aria-hidden />
        </Button>
      </form>
    </search>
  );
}
