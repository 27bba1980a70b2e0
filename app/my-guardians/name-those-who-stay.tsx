'use client';

import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../protocol/ids.ts';
import { Actions, Question } from '../guardian/question.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import type { Change, Person } from './configuration.ts';
import type { Flow } from './flow.ts';
import { GuardianRefused } from './guardian-refused.tsx';
import { missingOf, NOBODY, PersonFields } from './person-fields.tsx';
import type { Place } from './standing.ts';

type People = Partial<Record<GuardianRole, Person>>;

type NamesProps = Flow & {
  kind: Change['kind'];
  place: Place | null;
  staying: readonly Place[];
  /** Whom the holder has named on this visit. */
  begun: People;
  onNamed: (people: People) => void;
  onBack: () => void;
};

/** A change writes every name anew, so those who stay are named once more. */
export function NameThoseWhoStay({ kind, place, staying, begun, mails, nameOf, sending, onNamed, onBack }: NamesProps) {
  const t = useTranslations('myGuardians');
  const [people, setPeople] = useState(begun);
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const of = ({ role }: Place) => people[role] ?? NOBODY;

  const send = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (staying.every((one) => missingOf(of(one)) === null)) return onNamed(people);
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    inputs.find(({ value }) => value.trim() === '')?.focus();
  };

  const yes = {
    remove: place?.state === 'invited' ? t('remove.yesWithdraw') : t('remove.yes'),
    anew: t('anew.yes'),
    enable: t('enable.yes'),
  };
  return (
    <Question title={t('stay.title')} focus>
      <p className="text-lg">{t('stay.lead')}</p>
      <form ref={form} onSubmit={send} noValidate className="space-y-5">
        {staying.map((one) => (
          <Card key={one.role} className="space-y-5">
            <p className="font-semibold">
              {t(one.state === 'invited' ? 'stay.getsLink' : 'stay.keeps', { place: nameOf(one) })}
            </p>
            <PersonFields
              person={of(one)}
              onChange={(person) => setPeople((before) => ({ ...before, [one.role]: person }))}
              mails={mails}
              checked={checked}
              labels={{
                name: t('stay.name', { place: t(`place.${one.role}`) }),
                contact: t('stay.contact', { place: t(`place.${one.role}`) }),
              }}
            />
          </Card>
        ))}
        <p>{t('invite.kept')}</p>
        <GuardianRefused failure={sending.failure} />
        <Actions>
          <Button type="submit" size="large" aria-disabled={sending.sending} className="aria-disabled:opacity-60">
            {sending.sending ? t('remove.sending') : yes[kind]}
          </Button>
          <Button look="secondary" size="large" onClick={onBack} disabled={sending.sending}>
            {t('remove.no')}
          </Button>
        </Actions>
      </form>
    </Question>
  );
}
