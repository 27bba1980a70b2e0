'use client';

import { Binary, CircleHelp, FileKey2, NotebookPen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Actions } from './actions.tsx';
import { BackButton } from './back-button.tsx';
import { openCopy } from './browser-copy.ts';
import { Choice } from './choice.tsx';
import { OpenCodeForm } from './open-code-form.tsx';
import { OpenFileForm, useAnotherFile } from './open-file-form.tsx';
import { OpenWordsForm } from './open-words-form.tsx';
import { Screen } from './screen.tsx';
import { type OpenedKey, openedKey, type Purpose } from './secret.ts';

export type OpenedFrom = 'browser' | 'file' | 'words' | 'code';

export type OpenKeyProps = {
  beoId: string;
  beoDomain: string;
  purpose: Purpose;
  /** Lower-case hex; another key is not handed on. */
  expectedKey: string;
  /** `from` says whether the person has a copy of their own that was seen to open. */
  onOpened: (key: OpenedKey, from: OpenedFrom) => void;
  /** Whether a key that was made elsewhere is taken, in hex. */
  codes?: boolean;
  /** Level of the heading of each screen. */
  heading?: 'h1' | 'h2';
};

type Step = 'looking' | 'found' | 'choose' | 'file' | 'words' | 'code' | 'neither';

/** Asks a person for their key: from this browser, else from the file or the 24 words. One thing per screen. */
export function OpenKey({
  beoId,
  beoDomain,
  purpose,
  expectedKey,
  onOpened,
  codes = false,
  heading = 'h2',
}: OpenKeyProps) {
  const t = useTranslations('keys');
  const another = useAnotherFile();
  const [step, setStep] = useState<Step>('looking');
  const [found, setFound] = useState<OpenedKey | null>(null);
  const asked = { purpose, domain: beoDomain };

  useEffect(() => {
    let gone = false;
    ownCopy({ purpose, beoId, publicKey: expectedKey }).then((key) => {
      if (gone) return;
      setFound(key);
      setStep(key ? 'found' : 'choose');
    });
    return () => {
      gone = true;
    };
  }, [purpose, beoId, expectedKey]);

  switch (step) {
    case 'looking':
      return (
        <p role="status" className="text-muted">
          {t('open.looking')}
        </p>
      );
    case 'found':
      return (
        <Screen key={step} title={t('open.foundTitle')} heading={heading} className="space-y-4">
          <p>{t('open.found', asked)}</p>
          <Actions>
            <Button size="large" onClick={() => found && onOpened(found, 'browser')}>
              {t('open.use')}
            </Button>
            <Button look="secondary" size="large" onClick={() => setStep('choose')}>
              {t('open.useAnother')}
            </Button>
          </Actions>
        </Screen>
      );
    case 'choose':
      return (
        <Screen key={step} title={t('open.chooseTitle')} heading={heading} className="space-y-4">
          <p>{t('open.chooseLead', asked)}</p>
          {!found && <p className="text-muted">{t('open.notHere')}</p>}
          <div className="space-y-3">
            <Choice icon={FileKey2} name={t('open.file')} what={t('open.fileWhat')} onChoose={() => setStep('file')} />
            <Choice
              icon={NotebookPen}
              name={t('open.words')}
              what={t('open.wordsWhat')}
              onChoose={() => setStep('words')}
            />
            {codes && (
              <Choice icon={Binary} name={t('open.code')} what={t('open.codeWhat')} onChoose={() => setStep('code')} />
            )}
          </div>
          {found ? (
            <BackButton label={t('open.fromBrowser')} onBack={() => setStep('found')} />
          ) : (
            <Button look="quiet" className="-ml-5" onClick={() => setStep('neither')}>
              <CircleHelp aria-hidden />
              {t('open.neither')}
            </Button>
          )}
        </Screen>
      );
    case 'file':
      return (
        <Screen key={step} title={t('open.fileTitle')} heading={heading} className="space-y-4">
          <p>{t('open.fileLead')}</p>
          <OpenFileForm
            beoDomain={beoDomain}
            expectedKey={expectedKey}
            submit={t('open.open')}
            anotherKey={(file) => another(purpose, beoDomain, file)}
            onOpened={(key) => onOpened(key, 'file')}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep('choose')} />
        </Screen>
      );
    case 'words':
      return (
        <Screen key={step} title={t('open.wordsTitle')} heading={heading} className="space-y-4">
          <p>{t('open.wordsLead')}</p>
          <OpenWordsForm
            purpose={purpose}
            beoDomain={beoDomain}
            expectedKey={expectedKey}
            onOpened={(key) => onOpened(key, 'words')}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep('choose')} />
        </Screen>
      );
    case 'code':
      return (
        <Screen key={step} title={t('open.codeTitle')} heading={heading} className="space-y-4">
          <p>{t('open.codeLead')}</p>
          <OpenCodeForm beoDomain={beoDomain} expectedKey={expectedKey} onOpened={(key) => onOpened(key, 'code')} />
          <BackButton label={t('anotherWay')} onBack={() => setStep('choose')} />
        </Screen>
      );
    case 'neither':
      return (
        <Screen key={step} title={t('open.neitherTitle')} heading={heading} className="space-y-4">
          <Alert tone="info">
            <p>{t('open.neither2')}</p>
          </Alert>
          <p>{t('open.neither1', asked)}</p>
          {purpose === 'holder' && (
            <Button asChild look="secondary">
              <a href="/recover">{t('open.recover')}</a>
            </Button>
          )}
          <BackButton label={t('anotherWay')} onBack={() => setStep('choose')} />
        </Screen>
      );
  }
}

/** The key that this browser keeps, if it is whole. */
async function ownCopy(of: Parameters<typeof openCopy>[0]): Promise<OpenedKey | null> {
  try {
    const entropy = await openCopy(of);
    const key = entropy && (await openedKey(entropy));
    return key?.publicKey === of.publicKey ? key : null;
  } catch {
    return null;
  }
}
