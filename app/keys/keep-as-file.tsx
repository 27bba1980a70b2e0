'use client';

import { Download } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Actions } from './actions.tsx';
import { BackButton } from './back-button.tsx';
import type { KeepingProps } from './keep-key.tsx';
import { OpenFileForm, warmKeyFile } from './open-file-form.tsx';
import { MIN_PASSPHRASE, passphraseLength, passphraseProblem } from './passphrase.ts';
import { PassphraseField } from './passphrase-field.tsx';
import { Progress } from './progress.tsx';
import { Screen } from './screen.tsx';
import { openedKey } from './secret.ts';

type MadeFile = { readonly name: string; readonly text: string; readonly publicKey: string };

type Step = { at: 'passphrase' } | { at: 'save' | 'check'; file: MadeFile };

/** A file under a passphrase: chosen, made, saved, and opened once to see that both are right. */
export function KeepAsFile({ onChecked, ...keeping }: KeepingProps & { onChecked: (name: string) => void }) {
  const t = useTranslations('keys');
  const [step, setStep] = useState<Step>({ at: 'passphrase' });
  const { heading, beoDomain, onBack } = keeping;

  switch (step.at) {
    case 'passphrase':
      return <MakeFile {...keeping} onMade={(file) => setStep({ at: 'save', file })} />;
    case 'save':
      return (
        <SaveFile
          file={step.file}
          heading={heading}
          onSaved={() => setStep({ at: 'check', file: step.file })}
          onBack={onBack}
        />
      );
    case 'check':
      return (
        <Screen key="check" title={t('check.title')} heading={heading} className="space-y-4">
          <p>{t('check.lead')}</p>
          <OpenFileForm
            beoDomain={beoDomain}
            expectedKey={step.file.publicKey}
            submit={t('check.open')}
            anotherKey={() => t('check.different', { name: step.file.name })}
            onOpened={() => onChecked(step.file.name)}
            more={
              <Button look="secondary" size="large" onClick={() => setStep({ at: 'save', file: step.file })}>
                {t('check.again')}
              </Button>
            }
          />
        </Screen>
      );
  }
}

function MakeFile({
  entropy,
  purpose,
  beoDomain,
  createdAt,
  heading,
  onBack,
  onMade,
}: KeepingProps & { onMade: (file: MadeFile) => void }) {
  const t = useTranslations('keys');
  const input = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [failed, setFailed] = useState<{ title: string; what: string } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  useEffect(warmKeyFile, []);

  const make = async () => {
    const problem = passphraseProblem(passphrase);
    if (problem) {
      setError(t(`passphrase.${problem}`, { count: passphraseLength(passphrase), minimum: MIN_PASSPHRASE }));
      input.current?.focus();
      return;
    }
    setProgress(0);
    const { keyFileName, sealKeyFile } = await import('./key-file.ts');
    const { publicKey } = await openedKey(entropy);
    const secret = { holds: 'entropy', bytes: entropy } as const;
    const content = { secret, publicKey, purpose, beoDomain, createdAt };
    const text = await sealKeyFile(content, passphrase, { onProgress: setProgress }).catch(() => null);
    if (text !== null) return onMade({ name: keyFileName(content), text, publicKey });
    setFailed({ title: t('passphrase.failedTitle'), what: t('passphrase.failed') });
    setProgress(null);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress !== null) return;
    setError(null);
    setFailed(null);
    make().catch(() => {
      setFailed({ title: t('brokenTitle'), what: t('broken') });
      setProgress(null);
    });
  };

  return (
    <Screen key="passphrase" title={t('passphrase.title')} heading={heading}>
      <form onSubmit={submit} noValidate className="mt-4 space-y-5">
        <p>{t('passphrase.lead')}</p>
        <PassphraseField
          ref={input}
          value={passphrase}
          onChange={setPassphrase}
          autoComplete="new-password"
          account={beoDomain}
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
                {t('passphrase.make')}
              </Button>
            </Actions>
          ) : (
            <Progress doing={t('passphrase.making')} fraction={progress} />
          )}
        </div>
        <BackButton label={t('anotherWay')} onBack={onBack} disabled={progress !== null} />
      </form>
    </Screen>
  );
}

type SaveFileProps = { file: MadeFile; heading: 'h1' | 'h2'; onSaved: () => void; onBack: () => void };

function SaveFile({ file, heading, onSaved, onBack }: SaveFileProps) {
  const t = useTranslations('keys');
  const url = useBlobUrl(file.text);
  return (
    <Screen key="save" title={t('save.title')} heading={heading} className="space-y-4">
      <p className="break-words">{t('save.ready', { name: file.name })}</p>
      <p>{t('save.where')}</p>
      <Actions>
        <Button asChild size="large">
          <a href={url} download={file.name}>
            <Download aria-hidden />
            {t('save.download')}
          </a>
        </Button>
        <Button look="secondary" size="large" onClick={onSaved}>
          {t('save.saved')}
        </Button>
      </Actions>
      <p className="text-muted">{t('save.trouble')}</p>
      <BackButton label={t('anotherWay')} onBack={onBack} />
    </Screen>
  );
}

function useBlobUrl(text: string): string | undefined {
  const [url, setUrl] = useState<string>();

  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);

  return url;
}
