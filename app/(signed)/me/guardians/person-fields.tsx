'use client';

import type { Ref } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '../../../_ui/field.tsx';
import type { Person } from './guardian-settings.ts';

/** Protocol §1. */
const NAME_LENGTH = 80;
const CONTACT_LENGTH = 200;

export const EMPTY_PERSON: Person = { name: '', contact: '' };

type PersonFieldsProps = {
  person: Person;
  onChange: (person: Person) => void;
  mails: boolean;
  /** Whether to report what is missing. */
  checked: boolean;
  labels: { readonly name: string; readonly contact: string };
  nameRef?: Ref<HTMLInputElement>;
};

/** The name of a guardian and how to reach them. */
export function PersonFields({ person, onChange, mails, checked, labels, nameRef }: PersonFieldsProps) {
  const t = useTranslations('myGuardians.invite');
  const { name, contact } = person;
  const common = { autoComplete: 'off', autoCorrect: 'off', type: 'text' } as const;
  return (
    <>
      <Field
        {...common}
        ref={nameRef}
        label={labels.name}
        hint={t('nameHint')}
        error={checked && name.trim() === '' && t('nameMissing')}
        value={name}
        limit={NAME_LENGTH}
        onType={(text) => onChange({ name: text, contact })}
      />
      <Field
        {...common}
        label={labels.contact}
        hint={mails ? t('contactHintMails') : t('contactHint')}
        value={contact}
        limit={CONTACT_LENGTH}
        autoCapitalize="none"
        spellCheck={false}
        onType={(text) => onChange({ name, contact: text })}
      />
    </>
  );
}
