'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { MIN_PASSPHRASE, passphraseLength } from '../../protocol/signing/passphrase.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import type { KeyFileContent } from './key-file.ts';
import { warmKeyFile } from './open-file-form.tsx';
import { PassphraseField } from './passphrase-field.tsx';
import { Progress } from './progress.tsx';
import { openedSecret } from './secret.ts';

type Step =
  | { readonly at: 'idle' }
  /** The passphrase was rejected. */
  | { readonly at: 'rejected'; readonly error: string }
  | { readonly at: 'sealing'; readonly fraction: number }
  | { readonly at: 'failed'; readonly title: string; readonly what: string };

type SealFormProps = {
  content: Omit<KeyFileContent, 'publicKey'>;
  submit: string;
  /** Is shown while the key is sealed. */
  making: string;
  /** Is shown where the device could not seal it. */
  failed: { title: string; what: string };
  /** Where there is an old passphrase too: the label of the new one. */
  label?: string;
  /** The passphrase of the key file that was just opened, which can be used again. */
  filePassphrase?: string | null | undefined;
  /** Receives the text of a key file under the chosen passphrase, and the public key. */
  onSealed: (file: string, publicKey: string) => void | Promise<void>;
  /** Other actions; `busy` while the key is sealed. */
  more?: (busy: boolean) => ReactNode;
};

/** Asks for a new passphrase and encrypts a key with it. */
export function SealForm(form: SealFormProps) {
  const { content, submit, making, failed, label, filePassphrase, onSealed, more } = form;
  const t = useTranslations('keys');
  const input = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const [step, setStep] = useState<Step>({ at: 'idle' });

  const isSealing = step.at === 'sealing';

  useEffect(() => {
    warmKeyFile();
    import('./passphrase-strength.ts').catch(() => {});
  }, []);

  const problemOf = async (chosen: string): Promise<string | null> => {
    const count = passphraseLength(chosen);
    if (count < MIN_PASSPHRASE) return t('passphrase.short', { count, minimum: MIN_PASSPHRASE });
    const { passphraseWeakness } = await import('./passphrase-strength.ts');
    const name = content.beoDomain;
    const weakness = passphraseWeakness(chosen, [name, name.replace(/\..*/, ''), 'perpetua']);
    return weakness && `${t(`passphrase.weak.${weakness}`)} ${t('passphrase.weak.better')}`;
  };

  const seal = async (chosen: string) => {
    const onProgress = (fraction: number) => setStep({ at: 'sealing', fraction });
    onProgress(0);
    const error = await problemOf(chosen);
    if (error) {
      setStep({ at: 'rejected', error });
      input.current?.focus();
      return;
    }
    const { sealKeyFile } = await import('./key-file.ts');
    const key = await openedSecret(content.secret);
    key.seed.fill(0);
    const whole = { ...content, publicKey: key.publicKey };
    const file = await sealKeyFile(whole, chosen, { onProgress }).catch(() => null);
    if (file !== null) await onSealed(file, key.publicKey);
    setStep(file === null ? { at: 'failed', ...failed } : { at: 'idle' });
  };

  const sealUnder = (chosen: string) => {
    if (isSealing) return;
    seal(chosen).catch(() => setStep({ at: 'failed', title: t('brokenTitle'), what: t('broken') }));
  };

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    sealUnder(passphrase);
  };

  return (
    <form onSubmit={send} noValidate className="space-y-5">
      <PassphraseField
        ref={input}
        label={label}
        value={passphrase}
        onChange={setPassphrase}
        autoComplete="new-password"
        account={content.beoDomain}
        hint={t('passphrase.hint', { count: MIN_PASSPHRASE })}
        error={step.at === 'rejected' ? step.error : null}
        disabled={isSealing}
      />
      <div>
        <div role="alert">
          {step.at === 'failed' && (
            <Alert tone="danger" title={step.title} className="mb-5">
              <p>{step.what}</p>
            </Alert>
          )}
        </div>
        {step.at === 'sealing' ? (
          <Progress doing={making} fraction={step.fraction} />
        ) : (
          <FormActions>
            <Button type="submit" size="large">
              {submit}
            </Button>
            {filePassphrase && (
              <Button look="secondary" size="large" onClick={() => sealUnder(filePassphrase)}>
                {t('passphrase.reuse')}
              </Button>
            )}
          </FormActions>
        )}
      </div>
      {more?.(isSealing)}
    </form>
  );
}
