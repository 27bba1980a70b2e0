'use client';

import { UserRoundPlus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { GUARDIAN_ROLES } from '../../../../../protocol/entities/guardian.ts';
import type { Failure } from '../../../../_trpc/failure.ts';
import { Refused } from '../../../../_trpc/refused.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Field } from '../../../../_ui/field.tsx';
import { FormActions } from '../../../../_ui/form-actions.tsx';
import {
  MAX_GUARDIANS,
  MIN_GUARDIANS,
  NO_PERSON,
  type Person,
  type PersonProblem,
  problemsOf,
} from './ieo-recovery-settings.ts';

/** Protocol §1. */
const LENGTHS = { name: 80, contact: 200, publicKey: 64 };

type RecoveryFormProps = {
  ownKey: string | null;
  /** Whether guardians are named already. */
  replaces: boolean;
  isSending: boolean;
  failure: Failure | null;
  onSend: (people: readonly Person[]) => void;
  onCancel: () => void;
};

/** Names two or three guardians of an institution. */
export function RecoveryForm({ ownKey, replaces, isSending, failure, onSend, onCancel }: RecoveryFormProps) {
  const t = useTranslations('institution.settings.recovery');
  const form = useRef<HTMLFormElement>(null);
  const [people, setPeople] = useState<readonly Person[]>(Array.from({ length: MIN_GUARDIANS }, () => NO_PERSON));
  const [problems, setProblems] = useState<readonly (PersonProblem | null)[]>([]);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = problemsOf(people, ownKey);
    setProblems(found);
    if (found.every((problem) => problem === null)) return onSend(people);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  return (
    <form ref={form} onSubmit={send} noValidate className="space-y-6">
      {replaces && <p>{t('replaces')}</p>}
      {GUARDIAN_ROLES.slice(0, people.length).map((role, index) => (
        <PersonFields
          key={role}
          legend={t(`person.${role}`)}
          person={people[index] ?? NO_PERSON}
          problem={problems[index] ?? null}
          onChange={(person) => setPeople(people.with(index, person))}
        />
      ))}
      {people.length < MAX_GUARDIANS && (
        <Button look="quiet" className="-ml-5" onClick={() => setPeople([...people, NO_PERSON])}>
          <UserRoundPlus aria-hidden />
          {t('another')}
        </Button>
      )}
      <p>{t('private')}</p>
      <Refused failure={failure} />
      <FormActions>
        <Button type="submit" busy={isSending}>
          {t(isSending ? 'sending' : 'save')}
        </Button>
        <Button look="secondary" onClick={onCancel} disabled={isSending}>
          {t('cancel')}
        </Button>
      </FormActions>
    </form>
  );
}

type PersonFieldsProps = {
  legend: string;
  person: Person;
  problem: PersonProblem | null;
  onChange: (person: Person) => void;
};

function PersonFields({ legend, person, problem, onChange }: PersonFieldsProps) {
  const t = useTranslations('institution.settings.recovery');
  const field = (part: keyof Person, hint?: string) => {
    const wrong = problem === part || (part === 'publicKey' && problem === 'sameKey') ? problem : null;
    return (
      <Field
        type="text"
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize={part === 'name' ? 'words' : 'none'}
        spellCheck={false}
        label={t(part)}
        hint={hint}
        error={wrong && t(`problem.${wrong}`)}
        value={person[part]}
        limit={LENGTHS[part]}
        onType={(text) => onChange({ ...person, [part]: text })}
      />
    );
  };
  return (
    <fieldset className="space-y-5 rounded-lg border border-line p-5">
      <legend className="px-1 text-lg font-bold">{legend}</legend>
      {field('name')}
      {field('contact', t('contactHint'))}
      {field('publicKey', t('publicKeyHint'))}
    </fieldset>
  );
}
