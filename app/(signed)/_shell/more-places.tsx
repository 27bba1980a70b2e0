'use client';

import { useTranslations } from 'use-intl/react';
import { Dialog } from '../../_ui/dialog.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import type { Place } from './frame.tsx';

type MorePlacesProps = { places: readonly Place[]; here: Place | null; onClose: () => void };

/** The pages that have no room in the bar of a phone. */
export function MorePlaces({ places, here, onClose }: MorePlacesProps) {
  const t = useTranslations('dashboard');
  return (
    <Dialog title={t('more')} onClose={onClose}>
      <ul className="mt-3 space-y-1">
        {places.map((place) => (
          <li key={place.href}>
            <LocalLink
              href={place.href}
              onClick={onClose}
              aria-current={place === here ? 'page' : undefined}
              className="flex min-h-13 items-center gap-3 rounded-md px-3 text-lg font-semibold hover:bg-sunken aria-[current]:text-accent"
            >
              <place.icon aria-hidden className="size-6 shrink-0" />
              {place.name}
            </LocalLink>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
