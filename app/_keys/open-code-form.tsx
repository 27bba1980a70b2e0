'use client';

import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { type ImportProblem, readImportedKey } from './imported-key.ts';
import { useWordsMessages } from './open-words-form.tsx';
import { type OpenedKey, type Purpose, wipe } from './secret.ts';

type OpenCodeFormProps = {
  purpose: Purpose;
  beoDomain: string;
  /** Null where any key will do. */
  expectedKey: string | null;
  onOpened: (key: OpenedKey) => void;
};

/** Asks for a secret key in hex. The pasted text is never put into React state: it stays in the field. */
export function OpenCodeForm({ purpose, beoDomain, expectedKey, onOpened }: OpenCodeFormProps) {
  const t = useTranslations('keys');
  const wordsMessages = useWordsMessages();
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [opening, setOpening] = useState(false);

  const messageFor = (problem: ImportProblem): string => {
    switch (problem.kind) {
      case 'length':
        return t('code.length', { count: problem.count });
      case 'words':
        return wordsMessages.problem(problem.problem).what;
      default:
        return t(`code.${problem.kind}`, { purpose, domain: beoDomain });
    }
  };

  const open = async (): Promise<string | null> => {
    const imported = await readImportedKey(input.current?.value ?? '', expectedKey);
    if ('problem' in imported) return messageFor(imported.problem);
    if (expectedKey === null || imported.key.publicKey === expectedKey) {
      if (input.current) input.current.value = '';
      onOpened(imported.key);
      return null;
    }
    wipe(imported.key);
    return t('code.other', { purpose, domain: beoDomain });
  };

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (opening) return;
    setOpening(true);
    const problem = await open().catch(() => t('broken'));
    setOpening(false);
    setError(problem);
    if (problem) input.current?.focus();
  };

  return (
    <form onSubmit={send} noValidate className="space-y-5">
      <Field
        ref={input}
        type={shown ? 'text' : 'password'}
        label={t('code.label')}
        hint={t('code.hint')}
        error={error}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={1_000}
        action={
          <Button
            look="quiet"
            className="-ml-5 self-start sm:ml-0 sm:self-center"
            aria-label={shown ? t('code.hideLong') : t('code.showLong')}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {shown ? t('passphrase.hide') : t('passphrase.show')}
          </Button>
        }
      />
      <FormActions>
        <Button type="submit" size="large" aria-disabled={opening || undefined}>
          {t('open.open')}
        </Button>
      </FormActions>
    </form>
  );
}
