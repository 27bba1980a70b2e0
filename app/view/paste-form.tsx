'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';

/** Takes a link that was copied, with or without the address of a viewer. */
export function PasteForm({ onLink }: { onLink: (text: string) => void }) {
  const t = useTranslations('view');
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onLink(text.trim());
  };
  return (
    <>
      <p>{t('lead')}</p>
      <form onSubmit={submit} className="space-y-5">
        <Field
          label={t('paste.label')}
          hint={t('paste.hint')}
          value={text}
          onType={setText}
          autoComplete="off"
          spellCheck={false}
          translate="no"
          required
        />
        <Button type="submit" size="large">
          {t('paste.next')}
        </Button>
      </form>
      <p className="text-sm text-muted">{t('nothingYet')}</p>
    </>
  );
}
