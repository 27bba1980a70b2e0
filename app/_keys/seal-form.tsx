'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Actions } from './actions.tsx';
import type { KeyFileContent } from './key-file.ts';
import { warmKeyFile } from './open-file-form.tsx';
import { MIN_PASSPHRASE, passphraseLength, passphraseProblem } from './passphrase.ts';
import { PassphraseField } from './passphrase-field.tsx';
import { Progress } from './progress.tsx';
import { openedSecret } from './secret.ts';

type SealFormProps = {
  content: Omit<KeyFileContent, 'publicKey'>;
  submit: string;
  /** What is said while it works. */
  making: string;
  /** What is said where the device could not. */
  failed: { title: string; what: string };
  /** Gets the text of a key file under the passphrase that was chosen, and whose it is. */
  onSealed: (file: string, publicKey: string) => void | Promise<void>;
  /** What leads elsewhere; `busy` while it works. */
  more?: (busy: boolean) => ReactNode;
};

/** Asks for a new passphrase, and puts a key under it. */
export function SealForm({ content, submit, making, failed: said, onSealed, more }: SealFormProps) {
  const t = useTranslations('keys');
  const input = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ title: string; what: string } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  useEffect(warmKeyFile, []);

  const seal = async () => {
    const problem = passphraseProblem(passphrase);
    if (problem) {
      setError(t(`passphrase.${problem}`, { count: passphraseLength(passphrase), minimum: MIN_PASSPHRASE }));
      input.current?.focus();
      return;
    }
    setProgress(0);
    const { sealKeyFile } = await import('./key-file.ts');
    const key = await openedSecret(content.secret);
    key.seed.fill(0);
    const whole = { ...content, publicKey: key.publicKey };
    const file = await sealKeyFile(whole, passphrase, { onProgress: setProgress }).catch(() => null);
    if (file === null) setFailed(said);
    else await onSealed(file, key.publicKey);
    setProgress(null);
  };

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress !== null) return;
    setError(null);
    setFailed(null);
    seal().catch(() => {
      setFailed({ title: t('brokenTitle'), what: t('broken') });
      setProgress(null);
    });
  };

  return (
    <form onSubmit={send} noValidate className="space-y-5">
      <PassphraseField
        ref={input}
        value={passphrase}
        onChange={setPassphrase}
        autoComplete="new-password"
        account={content.beoDomain}
        hint={t('passphrase.hint', { count: MIN_PASSPHRASE })}
        error={error}
        disabled={progress !== null}
      />
      <div>
        <div role="alert">
          {failed && (
            <Alert tone="danger" title={failed.title} className="mb-5">
              <p>{failed.what}</p>
            </Alert>
          )}
        </div>
        {progress === null ? (
          <Actions>
            <Button type="submit" size="large">
              {submit}
            </Button>
          </Actions>
        ) : (
          <Progress doing={making} fraction={progress} />
        )}
      </div>
      {more?.(progress !== null)}
    </form>
  );
}
