'use client';

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { Screen } from '../_ui/screen.tsx';
import { BackButton } from './back-button.tsx';
import type { KeepingProps } from './keep-key.tsx';
import { OpenFileForm } from './open-file-form.tsx';
import { SealForm } from './seal-form.tsx';

type MadeFile = { readonly name: string; readonly text: string; readonly publicKey: string };

type Step = { at: 'passphrase' } | { at: 'save' | 'check'; file: MadeFile };

/** Makes a key file under a passphrase, and opens it once to check both. */
export function KeepAsFile({
  onChecked,
  ...keeping
}: KeepingProps & { onChecked: (name: string, passphrase: string) => void }) {
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
            onOpened={(_, passphrase) => onChecked(step.file.name, passphrase)}
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
  secret,
  purpose,
  beoDomain,
  createdAt,
  heading,
  onBack,
  onMade,
}: KeepingProps & { onMade: (file: MadeFile) => void }) {
  const t = useTranslations('keys');
  const content = { secret, purpose, beoDomain, createdAt };

  const hand = async (text: string, publicKey: string) => {
    const { keyFileName } = await import('./key-file.ts');
    onMade({ name: keyFileName(content), text, publicKey });
  };

  return (
    <Screen key="passphrase" title={t('passphrase.title')} heading={heading}>
      <div className="mt-4 space-y-5">
        <p>{t('passphrase.lead')}</p>
        <SealForm
          content={content}
          submit={t('passphrase.make')}
          making={t('passphrase.making')}
          failed={{ title: t('passphrase.failedTitle'), what: t('passphrase.failed') }}
          onSealed={hand}
          more={(busy) => <BackButton label={t('anotherWay')} onBack={onBack} disabled={busy} />}
        />
      </div>
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
      <FormActions>
        <Button asChild size="large">
          <a href={url} download={file.name}>
            <Download aria-hidden />
            {t('save.download')}
          </a>
        </Button>
        <Button look="secondary" size="large" onClick={onSaved}>
          {t('save.saved')}
        </Button>
      </FormActions>
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
