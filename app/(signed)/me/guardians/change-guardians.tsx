'use client';

import { AskEnable, AskReinvite, AskRemove } from './guardian-questions.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { type Change, configurationOf, placesAfter, reinvited } from './guardian-settings.ts';
import type { Place } from './status.ts';

type ChangeProps = Flow & ({ kind: 'remove' | 'reinvite'; place: Place } | { kind: 'enable'; place: null });

/** Removes a guardian, makes a new link, or turns recovery on. */
export function ChangeGuardians(props: ChangeProps) {
  const { kind, place, beoId, guardiansStatus, who, sending, onLinks, onDone } = props;
  const change: Change = kind === 'enable' ? { kind } : { kind, role: place.role };
  const links = reinvited(placesAfter(guardiansStatus, change)).filter(({ role }) => role !== place?.role);

  const onYes = () => {
    const outcome = outcomeOf(place, who);
    const recovery = configurationOf(guardiansStatus, change);
    void sending.send('updateBEORecovery', { beoId, recovery }, ({ invitations }) => {
      if (invitations.length > 0) onLinks(invitations);
      else onDone(outcome);
    });
  };

  const question = { ...props, links: links.length, onYes };
  if (kind === 'enable') return <AskEnable {...question} />;
  if (kind === 'reinvite') return <AskReinvite {...question} place={place} />;
  return <AskRemove {...question} place={place} />;
}

function outcomeOf(place: Place | null, who: Flow['who']) {
  if (!place) return { kind: 'enabled' } as const;
  const kind = place.state === 'invited' ? 'withdrawn' : place.eligible ? 'removed' : 'gone';
  return { kind, who: who(place) } as const;
}
