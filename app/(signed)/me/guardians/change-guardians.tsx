'use client';

import { AskAnew, AskEnable, AskRemove } from './change-questions.tsx';
import { type Change, configurationOf, invitedAnew, placesAfter } from './configuration.ts';
import type { Flow } from './flow.ts';
import type { Place } from './standing.ts';

type ChangeProps = Flow & ({ kind: 'remove' | 'anew'; place: Place } | { kind: 'enable'; place: null });

/** Removes somebody, makes a new link, or turns recovery on. */
export function ChangeGuardians(props: ChangeProps) {
  const { kind, place, beoId, standing, nameOf, sending, onLinks, onDone } = props;
  const change: Change = kind === 'enable' ? { kind } : { kind, role: place.role };
  const links = invitedAnew(placesAfter(standing, change)).filter(({ role }) => role !== place?.role);

  const onYes = () => {
    const outcome = outcomeOf(place, nameOf);
    const recovery = configurationOf(standing, change);
    void sending.send('updateRecovery', { beoId, recovery }, ({ invitations }) => {
      if (invitations.length > 0) onLinks(invitations);
      else onDone(outcome);
    });
  };

  const asked = { ...props, links: links.length, onYes };
  if (kind === 'enable') return <AskEnable {...asked} />;
  if (kind === 'anew') return <AskAnew {...asked} place={place} />;
  return <AskRemove {...asked} place={place} />;
}

function outcomeOf(place: Place | null, nameOf: Flow['nameOf']) {
  if (!place) return { kind: 'enabled' } as const;
  const kind = place.state === 'invited' ? 'withdrawn' : place.counts ? 'removed' : 'gone';
  return { kind, name: nameOf(place) } as const;
}
