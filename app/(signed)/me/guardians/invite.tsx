'use client';

import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';
import { MAX_LINE, withLine } from '../../../_ui/link-line.ts';
import { Actions, Question } from '../../../_ui/question.tsx';
import { GuardianRefused } from './guardian-refused.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { NO_CONTACT } from './guardian-settings.ts';
import { EMPTY_PERSON, PersonFields } from './person-fields.tsx';
import type { Place } from './status.ts';

/** Invites a guardian to the next free place. */
export function Invite({ place, beoId, focus, mails, sending, onLinks }: Flow & { place: Place }) {
  const t = useTranslations('myGuardians');
  const { role } = place;
  const [person, setPerson] = useState(EMPTY_PERSON);
  const [line, setLine] = useState('');
  const [checked, setChecked] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);

  const invite = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const named = { name: person.name.trim(), contact: person.contact.trim() || NO_CONTACT };
    if (named.name === '') return nameInput.current?.focus();
    void sending.send('inviteGuardian', { beoId, ...named, role }, ({ guardian_id, url, expires_at }) =>
      onLinks([{ guardian_id, role, url: withLine(url, line), expires_at }]),
    );
  };

  return (
    <Question title={t('invite.title', { role })} focus={focus}>
      <p className="text-lg">{t('invite.lead')}</p>
      <form onSubmit={invite} noValidate className="space-y-6 pt-2">
        <PersonFields
          person={person}
          onChange={setPerson}
          mails={mails}
          checked={checked}
          labels={{ name: t('invite.name'), contact: t('invite.contact') }}
          nameRef={nameInput}
        />
        <Field
          type="text"
          autoComplete="off"
          label={t('invite.line')}
          hint={t('invite.lineHint')}
          value={line}
          limit={MAX_LINE}
          onType={setLine}
        />
        <section className="space-y-1">
          <h2 className="text-lg">{t('invite.keptTitle')}</h2>
          <p>{t('invite.kept')}</p>
          <p>{t('invite.public')}</p>
        </section>
        <GuardianRefused failure={sending.failure} />
        <Actions>
          <Button type="submit" size="large" busy={sending.sending}>
            {sending.sending ? t('invite.sending') : t('invite.yes')}
          </Button>
        </Actions>
      </form>
    </Question>
  );
}
