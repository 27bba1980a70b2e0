'use client';

import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { usePathname } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl/react';
import { type IdentityKind, keptIdentities } from '../_keys/identities.ts';
import { untilRead } from '../_keys/read.ts';
import { failureOf } from '../_trpc/failure.ts';
import { Queries, useTRPC } from '../_trpc/query-provider.tsx';
import { Refused } from '../_trpc/refused.tsx';
import { useSettled } from '../_trpc/use-settled.ts';
import { Dialog } from '../_ui/dialog.tsx';
import { pageOf } from '../_ui/explore-address.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { addressOf } from '../_ui/match-address.ts';
import { isId } from '../_ui/reference.ts';
import type { Titles } from '../_ui/title-at.ts';
import { useCombobox } from '../_ui/use-combobox.ts';
import { matching, type Place, placesOf, roleActions } from './palette-places.ts';

type PaletteProps = { titles: Titles; name: string; onClose: () => void };

interface Group {
  readonly key: 'actions' | 'pages' | 'people' | 'institutions' | 'entries';
  readonly places: readonly Place[];
}

const MAX_TYPED = 200;

/** Leads to pages, people, institutions, entries and actions by what is typed. */
export function Palette(props: PaletteProps) {
  return (
    <Queries>
      <Content {...props} />
    </Queries>
  );
}

function Content({ titles, name, onClose }: PaletteProps) {
  const t = useTranslations('palette');
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [target, setTarget] = useState('/');
  const link = useRef<HTMLAnchorElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const kinds = useKinds();
  const { actions, pages } = placesOf(titles, name, kinds);
  const path = usePathname();
  const ofRole = roleActions(kinds, path, typed).map(({ key, href }) => ({ href, name: t(`action.${key}`) }));
  const { found, isSearching, error } = useFound(typed);
  const groups: readonly Group[] = [
    { key: 'actions' as const, places: matching([...ofRole, ...actions], typed) },
    { key: 'pages' as const, places: matching(pages, typed) },
    ...found,
  ].filter(({ places }) => places.length > 0);
  const options = groups.flatMap(({ places }) => places);

  const combobox = useCombobox({
    listId,
    count: options.length,
    first: 0,
    onPick(index) {
      // A press on a link, which a page with unsaved work can stop.
      flushSync(() => setTarget(options[index]?.href ?? '/'));
      link.current?.click();
      onClose();
    },
  });
  useEffect(() => input.current?.focus(), []);
  const activeId = combobox.input['aria-activedescendant'];
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const indexOf = (place: Place) => options.indexOf(place);
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <input
        {...combobox.input}
        ref={input}
        type="text"
        value={typed}
        onChange={({ target: { value } }) => {
          combobox.restart();
          setTyped(value);
        }}
        onKeyDown={combobox.takeKey}
        aria-label={t('label')}
        aria-describedby={`${listId}-hint`}
        placeholder={t('label')}
        maxLength={MAX_TYPED}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        className="mt-3 min-h-13 w-full min-w-0 rounded-md border-2 border-edge bg-ground px-4 text-lg text-ink placeholder:text-muted hover:border-ink"
      />
      <p id={`${listId}-hint`} className="mt-2 text-sm text-muted pointer-coarse:hidden">
        {t('hint')}
      </p>
      <div
        id={listId}
        role="listbox"
        aria-label={t('title')}
        className={clsx('mt-3 max-h-[50svh] overflow-y-auto', options.length === 0 && 'hidden')}
      >
        {groups.map(({ key, places }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by role
          <div key={key} role="group" aria-labelledby={`${listId}-${key}`}>
            <p id={`${listId}-${key}`} className="px-3 pt-3 pb-1 text-sm font-semibold text-muted">
              {t(`group.${key}`)}
            </p>
            {places.map((place) => (
              <div
                key={`${place.href} ${place.name}`}
                {...combobox.option(indexOf(place))}
                className="flex min-h-11 cursor-pointer items-center rounded-md px-3 wrap-anywhere hover:bg-sunken aria-selected:bg-accent-soft aria-selected:font-semibold"
              >
                {place.name}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={clsx('mt-3 text-muted', options.length > 0 && 'sr-only')}>
        {isSearching ? t('searching') : t('count', { count: options.length })}
      </p>
      <Refused failure={error ? failureOf(error) : null} />
      <LocalLink ref={link} href={target} tabIndex={-1} aria-hidden className="hidden" />
    </Dialog>
  );
}

/** The kinds of the identities in this browser. */
function useKinds(): ReadonlySet<IdentityKind> {
  const [kinds, setKinds] = useState<ReadonlySet<IdentityKind>>(new Set());
  useEffect(() => {
    const reading = new AbortController();
    untilRead(keptIdentities, reading.signal).then(
      (kept) => setKinds(new Set(kept.map(({ kind }) => kind))),
      () => {},
    );
    return () => reading.abort();
  }, []);
  return kinds;
}

/** What the ledger has by a typed text: the identity with the domain, institutions by name, an entry by number or id. */
function useFound(typed: string): {
  readonly found: readonly Group[];
  readonly isSearching: boolean;
  readonly error: unknown;
} {
  const t = useTranslations('palette');
  const trpc = useTRPC();
  const text = typed.trim();
  const settled = useSettled(text);
  const isReference = isId(text);
  const { data, error, isFetching } = useQuery(
    trpc.search.queryOptions({ typed: settled }, { enabled: settled !== '' && settled === text && !isReference }),
  );
  const matches = (settled === text && !isReference && data?.matches) || [];
  const people = matches.flatMap((match): Place[] => {
    if (match.kind === 'identity') return [{ href: addressOf(match), name: match.domain }];
    return match.kind === 'destroyed'
      ? [{ href: addressOf(match), name: t('destroyed', { domain: match.domain }) }]
      : [];
  });
  const institutions = matches.flatMap((match): Place[] => {
    if (match.kind !== 'institution') return [];
    const { domain, display_name: own } = match.institution;
    return [{ href: addressOf(match), name: own ? t('institution', { domain, name: own }) : domain }];
  });
  const entries = matches.flatMap((match): Place[] =>
    match.kind === 'entry' ? [{ href: addressOf(match), name: t('entry', { seq: match.seq }) }] : [],
  );
  return {
    found: [
      { key: 'people', places: people },
      { key: 'institutions', places: institutions },
      { key: 'entries', places: isReference ? [{ href: pageOf(text), name: t('id', { id: text }) }] : entries },
    ],
    isSearching: text !== '' && !isReference && (settled !== text || isFetching),
    error,
  };
}
