'use client';

import { useState } from 'react';
import type { GuardianRole } from '../../protocol/ids.ts';
import { AskAnew, AskEnable, AskRemove } from './change-questions.tsx';
import { type Change, configurationOf, type Person, placesAfter } from './configuration.ts';
import type { Flow } from './flow.ts';
import { NameThoseWhoStay } from './name-those-who-stay.tsx';
import type { Place } from './standing.ts';

type ChangeProps = Flow & ({ kind: 'remove' | 'anew'; place: Place } | { kind: 'enable'; place: null });
type People = Partial<Record<GuardianRole, Person>>;

/** Removes somebody, makes a new link, or turns recovery on. Whose name the vault has lost is named once more. */
export function ChangeGuardians(props: ChangeProps) {
  const { kind, place, beoId, standing, known, nameOf, sending, onLinks, onDone } = props;
  const [naming, setNaming] = useState<People | null>(null);
  const change: Change = kind === 'enable' ? { kind } : { kind, role: place.role };
  const staying = placesAfter(standing, change);

  const send = (people: People) => {
    const outcome = outcomeOf(place, nameOf);
    const recovery = configurationOf(standing, change, people);
    void sending.send('updateBEORecovery', { beoId, recovery }, ({ invitations }) => {
      if (invitations.length > 0) onLinks(invitations);
      else onDone(outcome);
    });
  };

  const goOn = async () => {
    const people = staying.length === 0 ? new Map<string, Person>() : await known.read();
    if (!people) return;
    const named: People = {};
    for (const { role, guardian } of staying) {
      const person = people.get(guardian?.guardian_id ?? '');
      if (person) named[role] = person;
    }
    if (staying.every(({ role }) => named[role])) send(named);
    else setNaming(named);
  };

  if (naming) {
    return (
      <NameThoseWhoStay {...props} staying={staying} begun={naming} onNamed={send} onBack={() => setNaming(null)} />
    );
  }
  const asked = { ...props, onYes: () => void goOn() };
  if (kind === 'enable') return <AskEnable {...asked} />;
  if (kind === 'anew') return <AskAnew {...asked} place={place} />;
  return <AskRemove {...asked} place={place} />;
}

function outcomeOf(place: Place | null, nameOf: Flow['nameOf']) {
  if (!place) return { kind: 'enabled' } as const;
  const kind = place.state === 'invited' ? 'withdrawn' : place.counts ? 'removed' : 'gone';
  return { kind, name: nameOf(place) } as const;
}
