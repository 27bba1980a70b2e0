'use client';

import { clsx } from 'clsx';
import { Ellipsis } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { deferred } from '../../_ui/deferred.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useLoadMeanwhile } from '../../_ui/use-load-ahead.ts';

/** Loaded after the page. */
const loadMorePlaces = async () => (await import('./more-places.tsx')).MorePlaces;
const MorePlaces = deferred(loadMorePlaces);

export interface Place {
  readonly href: string;
  /** Another address that belongs to this page. */
  readonly also?: readonly string[];
  readonly name: string;
  readonly icon: ComponentType<{ 'aria-hidden': true; className?: string }>;
}

type FrameProps = {
  /** The first four are in the bar at the bottom of a phone. */
  places: readonly Place[];
  /** The identity of the pages, with its status. */
  head: ReactNode;
  /** The notices on every page. */
  notices: ReactNode;
  children: ReactNode;
};

const AT_HAND = 4;

/** The page that an address belongs to. */
export const placeAt = (places: readonly Place[], path: string): Place | null =>
  places.reduce<Place | null>(
    (best, place) =>
      place.also?.includes(path) ||
      ((path === place.href || path.startsWith(`${place.href}/`)) && place.href.length > (best?.href.length ?? 0))
        ? place
        : best,
    null,
  );

/** Surrounds every page of a dashboard with the identity, the navigation and the notices. */
export function Frame({ places, head, notices, children }: FrameProps) {
  const t = useTranslations('dashboard');
  const path = usePathname();
  const [more, setMore] = useState(false);
  useLoadMeanwhile(loadMorePlaces);
  const here = placeAt(places, path);
  const mark = (place: Place) => (place === here ? 'page' : undefined);
  return (
    <div className="page grid gap-x-12 gap-y-5 pt-3 pb-32 print:pb-0 lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-y-6 lg:pt-8 lg:pb-16">
      <div className="space-y-5 lg:sticky lg:top-6 lg:self-start print:hidden">
        {head}
        <nav aria-label={t('nav')} className="hidden lg:block">
          <ul className="space-y-1">
            {places.map((place) => (
              <li key={place.href}>
                <LocalLink
                  href={place.href}
                  aria-current={mark(place)}
                  className="flex min-h-11 items-center gap-3 rounded-md px-3 font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-ink"
                >
                  <place.icon aria-hidden className="size-5 shrink-0" />
                  {place.name}
                </LocalLink>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="min-w-0">
        <div className="space-y-3 pb-5 empty:hidden print:hidden">{notices}</div>
        {children}
      </div>
      <nav
        aria-label={t('nav')}
        data-foot-bar
        className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
      >
        <ul className="mx-auto flex max-w-form">
          {places.slice(0, AT_HAND).map((place) => (
            <li key={place.href} className="min-w-11 flex-auto max-[16rem]:min-w-0">
              <LocalLink href={place.href} aria-current={mark(place)} className={tab}>
                <place.icon aria-hidden className="size-6" />
                <span className="max-w-full truncate max-[16rem]:sr-only">{place.name}</span>
              </LocalLink>
            </li>
          ))}
          {places.length > AT_HAND && (
            <li className="min-w-11 flex-auto max-[16rem]:min-w-0">
              <button
                type="button"
                onClick={() => setMore(true)}
                className={clsx(tab, 'w-full cursor-pointer', here && places.indexOf(here) >= AT_HAND && 'text-accent')}
              >
                <Ellipsis aria-hidden className="size-6" />
                <span className="max-[16rem]:sr-only">{t('more')}</span>
              </button>
            </li>
          )}
        </ul>
      </nav>
      {more && <MorePlaces places={places.slice(AT_HAND)} here={here} onClose={() => setMore(false)} />}
    </div>
  );
}

const tab =
  'flex min-h-16 flex-col items-center justify-center gap-0.5 px-1 text-xs font-semibold text-muted aria-[current]:text-accent';
