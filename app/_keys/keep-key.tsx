'use client';

import { FileKey2, NotebookPen, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { Screen } from '../_ui/screen.tsx';
import { Choice } from './choice.tsx';
import { KeepAsFile } from './keep-as-file.tsx';
import { KeepAsWords } from './keep-as-words.tsx';
import { KeyCard } from './key-card.tsx';
import type { Purpose, Secret } from './secret.ts';

export type KeepKeyProps = {
  /** A key that was made elsewhere has no words, only a file. */
  secret: Secret;
  purpose: Purpose;
  beoDomain: string;
  /** Of a guardian, for the printed card. */
  role?: GuardianRole;
  /** Called once the person has a copy that was checked: a file that opened under its passphrase, or words that were typed. */
  onKept: (as: KeptAs, filePassphrase?: string) => void;
  /** The introduction for a key that was not made just now. */
  lead?: ReactNode;
  /** The back button of the first screen. */
  back?: ReactNode;
  /** Level of the heading of each screen. */
  heading?: 'h1' | 'h2';
};

export type KeptAs = 'file' | 'words';

export type KeepingProps = Omit<KeepKeyProps, 'onKept' | 'heading' | 'lead' | 'back'> & {
  createdAt: Date;
  heading: 'h1' | 'h2';
  onBack: () => void;
};

type Step = { at: 'choose' | 'file' | 'words' | 'keptWords' } | { at: 'keptFile'; name: string; passphrase: string };

/** Takes a person through copying a key: a file with a passphrase, or 24 words. One step per screen. */
export function KeepKey({ secret, purpose, beoDomain, role, onKept, lead, back, heading = 'h2' }: KeepKeyProps) {
  const t = useTranslations('keys');
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [createdAt] = useState(() => new Date());
  const keeping = {
    secret,
    purpose,
    beoDomain,
    ...(role && { role }),
    createdAt,
    heading,
    onBack: () => setStep({ at: 'choose' }),
  };

  switch (step.at) {
    case 'file':
      return (
        <KeepAsFile {...keeping} onChecked={(name, passphrase) => setStep({ at: 'keptFile', name, passphrase })} />
      );
    case 'words':
      return <KeepAsWords {...keeping} onChecked={() => setStep({ at: 'keptWords' })} />;
    case 'keptFile':
    case 'keptWords':
      return (
        <Screen key={step.at} title={t('kept.title')} heading={heading} className="space-y-4">
          <p>{step.at === 'keptFile' ? t('kept.file') : t('kept.words')}</p>
          {step.at === 'keptFile' && (
            <>
              <p>{t('kept.card')}</p>
              <KeyCard {...keeping} kept={{ kind: 'file', name: step.name }} />
            </>
          )}
          <FormActions>
            <Button
              size="large"
              onClick={() => (step.at === 'keptFile' ? onKept('file', step.passphrase) : onKept('words'))}
            >
              {t('next')}
            </Button>
            {step.at === 'keptFile' && (
              <Button look="secondary" size="large" onClick={() => window.print()}>
                <Printer aria-hidden />
                {t('kept.print')}
              </Button>
            )}
          </FormActions>
        </Screen>
      );
    case 'choose':
      return (
        <Screen key="choose" title={t('choose.title')} heading={heading} className="space-y-4">
          {lead ?? <p>{t('choose.made')}</p>}
          <p>
            {!lead && t('choose.forgets')} {t('choose.why', { purpose, domain: beoDomain })}
          </p>
          {secret.holds === 'entropy' && <p className="font-semibold">{t('choose.how')}</p>}
          <div className="space-y-3">
            <Choice
              icon={FileKey2}
              name={t('choose.file')}
              what={t('choose.fileWhat')}
              onChoose={() => setStep({ at: 'file' })}
            />
            {secret.holds === 'entropy' && (
              <Choice
                icon={NotebookPen}
                name={t('choose.words')}
                what={t('choose.wordsWhat')}
                onChoose={() => setStep({ at: 'words' })}
              />
            )}
          </div>
          {back}
        </Screen>
      );
  }
}
