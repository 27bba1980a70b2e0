'use client';

import { useState } from 'react';
import type { GuardianRole } from '../../protocol/ids.ts';
import { AskAnew, AskEnable, AskRemove } from './change-questions.tsx';
import { type Change, configurationOf, type Person, placesAfter } from './configuration.ts';
import type { Flow } from './flow.ts';
import { NameThoseWhoStay } from './name-those-who-stay.tsx';
import { rememberPerson } from './names.ts';
import { NOBODY } from './person-fields.tsx';
import type { Place } from './standing.ts';

type ChangeProps = Flow & ({ kind: 'remove' | 'anew'; place: Place } | { kind: 'enable'; place: null });

/** Removes somebody, makes a new link, or turns recovery on: first what that means, then the names of those who stay. */
export function ChangeGuardians(props: ChangeProps) {
  const { kind, place, beoId, standing, names, nameOf, sending, onLinks, onDone } = props;
  const [naming, setNaming] = useState(false);
  const change: Change = kind === 'enable' ? { kind } : { kind, role: place.role };
  const staying = placesAfter(standing, change);

  const send = (people: Partial<Record<GuardianRole, Person>>) => {
    const outcome = outcomeOf(place, nameOf);
    const recovery = configurationOf(standing, change, people);
    void sending.send('updateBEORecovery', { beoId, recovery }, ({ invitations }) => {
      for (const { role, guardian } of staying) {
        const id = invitations.find((made) => made.role === role)?.guardian_id ?? guardian?.guardian_id;
        const person = people[role];
        if (id && person) rememberPerson(id, person);
      }
      if (invitations.length > 0) onLinks(invitations);
      else onDone(outcome);
    });
  };

  if (naming) {
    const known = ({ guardian }: Place) => names.get(guardian?.guardian_id ?? '') ?? NOBODY;
    const begun = Object.fromEntries(staying.map((one) => [one.role, known(one)]));
    return (
      <NameThoseWhoStay {...props} staying={staying} begun={begun} onNamed={send} onBack={() => setNaming(false)} />
    );
  }
  const goOn = () => (staying.length > 0 ? setNaming(true) : send({}));
  if (kind === 'enable') return <AskEnable {...props} onYes={goOn} />;
  if (kind === 'anew') return <AskAnew {...props} onYes={goOn} />;
  return <AskRemove {...props} alone={staying.length === 0} onYes={goOn} />;
}

function outcomeOf(place: Place | null, nameOf: Flow['nameOf']) {
  if (!place) return { kind: 'enabled' } as const;
  const kind = place.state === 'invited' ? 'withdrawn' : place.counts ? 'removed' : 'gone';
  return { kind, name: nameOf(place) } as const;
}
