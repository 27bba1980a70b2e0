'use client';

import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';

type PassphraseFieldProps = {
  value: string;
  onChange: (passphrase: string) => void;
  /** Where more than one passphrase is involved: which one. */
  label?: string | undefined;
  autoComplete: 'new-password' | 'current-password';
  /** The name under which a password manager stores it. */
  account: string;
  hint?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  ref?: RefObject<HTMLInputElement | null>;
};

/** A passphrase field whose text can be shown. */
export function PassphraseField(field: PassphraseFieldProps) {
  const { value, onChange, label, account, hint, error, disabled, ...rest } = field;
  const t = useTranslations('keys.passphrase');
  const [shown, setShown] = useState(false);
  return (
    <>
      <input type="text" autoComplete="username" value={account} readOnly hidden />
      <Field
        {...rest}
        type={shown ? 'text' : 'password'}
        label={label ?? t('label')}
        hint={hint}
        error={error}
        value={value}
        onType={onChange}
        readOnly={disabled}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={500}
        action={
          <Button
            look="quiet"
            className="-ml-5 self-start sm:ml-0 sm:self-center"
            aria-label={shown ? t('hideLong') : t('showLong')}
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            {shown ? t('hide') : t('show')}
          </Button>
        }
      />
    </>
  );
}
