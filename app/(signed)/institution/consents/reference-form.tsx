'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { MAX_REFERENCE } from '../../../_keys/local-references.ts';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';

type ReferenceFormProps = {
  reference: string;
  /** Is false where the browser refuses to store it. */
  onReference: (reference: string) => Promise<boolean>;
};

/** What the institution calls a person, such as a patient number. */
export function ReferenceForm({ reference, onReference }: ReferenceFormProps) {
  const t = useTranslations('institution.reference');
  const [typed, setTyped] = useState(reference);
  const [outcome, setOutcome] = useState<'saved' | 'refused' | null>(null);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setOutcome((await onReference(typed)) ? 'saved' : 'refused');
  };

  return (
    <form onSubmit={(event) => void save(event)} noValidate className="border-t border-line pt-4">
      <Field
        label={t('label')}
        hint={t('hint')}
        error={outcome === 'refused' ? t('refused') : undefined}
        value={typed}
        onType={(text) => {
          setTyped(text);
          setOutcome(null);
        }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        limit={MAX_REFERENCE}
        action={
          <Button type="submit" look="secondary" size="large">
            {t('save')}
          </Button>
        }
      />
      <p role="status" className="mt-2 font-semibold text-accent-ink empty:hidden">
        {outcome === 'saved' && t('saved')}
      </p>
    </form>
  );
}
