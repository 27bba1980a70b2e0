'use client';

import { Search as SearchIcon } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useTransition } from 'react';
import { Button } from '../_ui/button.tsx';
import { searchFor } from '../_ui/explore-address.ts';
import { useGo } from '../_ui/local-link.tsx';

type SearchProps = { label: string; placeholder: string; submit: string; looking: string };

/** Searches for whatever the pages show; without scripts by the same address. */
export function Search({ label, placeholder, submit, looking }: SearchProps) {
  const search = useSearchParams();
  const go = useGo();
  const [isGoing, startGoing] = useTransition();
  const [lang, typed] = [search.get('lang'), search.get('q') ?? ''];

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('q') ?? '');
    startGoing(() => go(searchFor(text)));
  };

  return (
    <search id="ledger-search">
      <form action="/explore/search" onSubmit={send} className="flex max-w-prose gap-2">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <input
          key={typed}
          type="search"
          name="q"
          defaultValue={typed}
          aria-label={label}
          placeholder={placeholder}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          className="min-h-11 w-full min-w-0 text-ellipsis rounded-md border-2 border-edge bg-ground px-3 text-ink placeholder:text-muted hover:border-ink"
        />
        <Button type="submit" look="secondary" className="max-sm:w-11 max-sm:px-0" busy={isGoing}>
          {!isGoing && <SearchIcon aria-hidden />}
          <span className="max-sm:sr-only">{submit}</span>
        </Button>
      </form>
      <p role="status" className="sr-only">
        {isGoing && looking}
      </p>
    </search>
  );
}
