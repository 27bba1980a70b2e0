'use client';

import { Binary, CircleHelp, FileKey2, KeyRound, NotebookPen } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { Screen } from '../_ui/screen.tsx';
import { BackButton } from './back-button.tsx';
import type { CopyOf } from './browser-copy.ts';
import { type BrowserKey, browserKeys, openedCopy, publicKeyOf } from './browser-keys.ts';
import { Choice } from './choice.tsx';
import type { KeyFile } from './key-file.ts';
import { OpenCodeForm } from './open-code-form.tsx';
import { OpenFileForm, useAnotherFile } from './open-file-form.tsx';
import { OpenWordsForm } from './open-words-form.tsx';
import { PasskeyTrouble, type PasskeyTroubleProps } from './passkey-trouble.tsx';
import { type Read, readAs } from './read.ts';
import type { OpenedKey, Purpose } from './secret.ts';
import { type Reading, useStored } from './use-stored.ts';

export type OpenedFrom = 'browser' | 'file' | 'words' | 'code';

export type OpenKeyProps = {
  beoId: string;
  beoDomain: string;
  purpose: Purpose;
  /** Lower-case hex; no other key is accepted. Null where any key will do. */
  expectedKey: string | null;
  /** `from` tells whether the person has a copy of their own; `filePassphrase` is the one of the key file that was opened. */
  onOpened: (key: OpenedKey, from: OpenedFrom, filePassphrase?: string) => void;
  /** Is shown above the choice, instead of the identity of the key. */
  lead?: ReactNode;
  /** Is shown above the choice and above each way to enter the key. */
  notice?: ReactNode;
  /** Whether a key in hex, made elsewhere, is accepted. */
  codes?: boolean;
  /** Level of the heading of each screen. */
  heading?: 'h1' | 'h2';
};

type Step =
  | { readonly at: 'reading' | 'found' | 'file' | 'words' | 'code' | 'neither' }
  /** Why the key that was chosen did not open: it is not in this browser any more, or its passkey did not open it. */
  | { readonly at: 'choose'; readonly isLost: boolean; readonly trouble: PasskeyTroubleProps | null }
  /** A key file that this browser keeps, and why the passkey of that key did not open it. */
  | {
      readonly at: 'here';
      readonly domain: string;
      readonly file: KeyFile;
      readonly trouble: PasskeyTroubleProps | null;
    };

const CHOOSE = { at: 'choose', isLost: false, trouble: null } satisfies Step;
const LOST: Step = { ...CHOOSE, isLost: true };

interface Found {
  /** The expected key, from a copy in this browser. */
  readonly key: OpenedKey | null;
  /** Whether that copy was made for this purpose and identity. */
  readonly own: boolean;
  /** Other keys in this browser that are accepted. */
  readonly others: readonly BrowserKey[];
}

const NONE: Found = { key: null, own: false, others: [] };
const END = 8;

/** Asks a person for their key: from this browser, or from the key file or the 24 words. One question per screen. */
export function OpenKey({
  beoId,
  beoDomain,
  purpose,
  expectedKey,
  onOpened,
  lead,
  notice,
  codes = false,
  heading = 'h2',
}: OpenKeyProps) {
  const t = useTranslations('keys');
  const another = useAnotherFile();
  const here = useStored(useCallback(() => readHere({ purpose, beoId }, expectedKey), [purpose, beoId, expectedKey]));
  const { key: found, own, others } = here.state === 'read' ? here.value : NONE;
  /** Null until the person chooses. */
  const [chosen, setStep] = useState<Step | null>(null);
  const step = chosen ?? firstStep(here);
  const identity = { purpose, domain: beoDomain };

  const take = async (kept: BrowserKey) => {
    if (kept.kind === 'copy') {
      const opened = await openedCopy(kept.of);
      if (opened.state === 'unreadable') return;
      return opened.value ? onOpened(opened.value, 'browser') : setStep(LOST);
    }
    const { passkey, domain } = kept;
    const instead = kept.file !== null ? 'passphrase' : kept.hasCopy ? 'copy' : 'guardians';
    let trouble: PasskeyTroubleProps | null = null;
    if (passkey) {
      const { openByPasskey } = await import('./passkey.ts');
      const opened = await openByPasskey(passkey, kept.publicKey);
      if ('key' in opened) return onOpened(opened.key, 'file');
      trouble = { passkey, domain, instead, problem: opened.problem };
    }
    if (kept.file === null) return setStep({ ...CHOOSE, trouble });
    const { readKeyFile } = await import('./key-file.ts');
    const read = readKeyFile(kept.file);
    setStep('problem' in read ? LOST : { at: 'here', domain, file: read.file, trouble });
  };

  switch (step.at) {
    case 'reading':
      return (
        <p role="status" className="text-muted">
          {t('open.looking')}
        </p>
      );
    case 'found':
      return (
        <Screen key={step.at} title={t('open.foundTitle')} heading={heading} className="space-y-4">
          <p>{own ? t('open.found', identity) : t('open.foundSame')}</p>
          <FormActions>
            <Button size="large" onClick={() => found && onOpened(found, 'browser')}>
              {t('open.use')}
            </Button>
            <Button look="secondary" size="large" onClick={() => setStep(CHOOSE)}>
              {t('open.useAnother')}
            </Button>
          </FormActions>
        </Screen>
      );
    case 'choose':
      return (
        <Screen key={step.at} title={t('open.chooseTitle')} heading={heading} className="space-y-4">
          {notice}
          <p>{lead ?? (expectedKey === null ? t('open.chooseAny', identity) : t('open.chooseLead', identity))}</p>
          {here.state === 'read' && !found && others.length === 0 && expectedKey !== null && (
            <p className="text-muted">{t('open.notHere')}</p>
          )}
          <div role="alert">
            {step.isLost && (
              <Alert tone="caution">
                <p>{t('open.hereLost')}</p>
              </Alert>
            )}
            {step.trouble && (
              <Alert tone="caution">
                <PasskeyTrouble {...step.trouble} />
              </Alert>
            )}
          </div>
          <div className="space-y-3">
            {others.map((kept) => (
              <HereChoice key={publicKeyOf(kept)} kept={kept} onChoose={() => take(kept).catch(() => setStep(LOST))} />
            ))}
            <Choice
              icon={FileKey2}
              name={t('open.file')}
              what={t('open.fileWhat')}
              onChoose={() => setStep({ at: 'file' })}
            />
            <Choice
              icon={NotebookPen}
              name={t('open.words')}
              what={t('open.wordsWhat')}
              onChoose={() => setStep({ at: 'words' })}
            />
            {codes && (
              <Choice
                icon={Binary}
                name={t('open.code')}
                what={t('open.codeWhat')}
                onChoose={() => setStep({ at: 'code' })}
              />
            )}
          </div>
          {found && <BackButton label={t('open.fromBrowser')} onBack={() => setStep({ at: 'found' })} />}
          {!found && expectedKey !== null && (
            <Button look="quiet" className="-ml-5" onClick={() => setStep({ at: 'neither' })}>
              <CircleHelp aria-hidden />
              {t('open.neither')}
            </Button>
          )}
        </Screen>
      );
    case 'here':
      return (
        <Screen
          key={step.at}
          title={t('open.hereTitle', { domain: step.domain })}
          heading={heading}
          className="space-y-4"
        >
          {step.trouble && (
            <div role="alert">
              <Alert tone="caution">
                <PasskeyTrouble {...step.trouble} />
              </Alert>
            </div>
          )}
          <p>{t('open.hereLead')}</p>
          <OpenFileForm
            beoDomain={step.domain}
            expectedKey={expectedKey}
            submit={t('open.open')}
            anotherKey={() => ''}
            picked={step.file}
            keptHere
            onOpened={(key) => onOpened(key, 'file')}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep(CHOOSE)} />
        </Screen>
      );
    case 'file':
      return (
        <Screen key={step.at} title={t('open.fileTitle')} heading={heading} className="space-y-4">
          {notice}
          <p>{t('open.fileLead')}</p>
          <OpenFileForm
            beoDomain={beoDomain}
            expectedKey={expectedKey}
            submit={t('open.open')}
            anotherKey={(file) => another(purpose, beoDomain, file)}
            onOpened={(key, passphrase) => onOpened(key, 'file', passphrase)}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep(CHOOSE)} />
        </Screen>
      );
    case 'words':
      return (
        <Screen key={step.at} title={t('open.wordsTitle')} heading={heading} className="space-y-4">
          {notice}
          <p>{t('open.wordsLead')}</p>
          <OpenWordsForm
            purpose={purpose}
            beoDomain={beoDomain}
            expectedKey={expectedKey}
            onOpened={(key) => onOpened(key, 'words')}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep(CHOOSE)} />
        </Screen>
      );
    case 'code':
      return (
        <Screen key={step.at} title={t('open.codeTitle')} heading={heading} className="space-y-4">
          {notice}
          <p>{t('open.codeLead', { purpose })}</p>
          <OpenCodeForm
            purpose={purpose}
            beoDomain={beoDomain}
            expectedKey={expectedKey}
            onOpened={(key) => onOpened(key, 'code')}
          />
          <BackButton label={t('anotherWay')} onBack={() => setStep(CHOOSE)} />
        </Screen>
      );
    case 'neither':
      return (
        <Screen key={step.at} title={t('open.neitherTitle')} heading={heading} className="space-y-4">
          <Alert tone="info">
            <p>{t('open.neither2')}</p>
          </Alert>
          <p>{t('open.neither1', identity)}</p>
          {purpose === 'holder' && (
            <Button asChild look="secondary">
              <a href="/recover">{t('open.recover')}</a>
            </Button>
          )}
          <BackButton label={t('anotherWay')} onBack={() => setStep(CHOOSE)} />
        </Screen>
      );
  }
}

/** A key in this browser, named by its identity. */
function HereChoice({ kept, onChoose }: { kept: BrowserKey; onChoose: () => void }) {
  const t = useTranslations('keys.open');
  const { domain } = kept;
  const end = publicKeyOf(kept).slice(-END);
  const name =
    kept.kind === 'identity'
      ? t('hereIdentity', { domain: kept.domain })
      : domain
        ? t('hereGuardian', { domain })
        : t('hereUnnamed', { end });
  return (
    <Choice
      icon={KeyRound}
      name={name}
      what={t(kept.kind === 'copy' ? 'hereCopy' : kept.passkey ? 'herePasskey' : 'herePassphrase')}
      onChoose={onChoose}
    />
  );
}

/** Reads the keys in this browser. Those of other identities are offered to guardians only: one key may guard several. */
async function readHere(of: Omit<CopyOf, 'publicKey'>, expectedKey: string | null): Promise<Read<Found>> {
  const own = expectedKey === null ? readAs(null) : await openedCopy({ ...of, publicKey: expectedKey });
  if (own.state === 'unreadable') return own;
  if (own.value) return readAs({ key: own.value, own: true, others: [] });
  if (of.purpose !== 'guardian') return readAs(NONE);
  const here = await browserKeys(expectedKey);
  if (here.state === 'unreadable') return here;
  const copy = expectedKey === null ? null : here.value.find(({ kind }) => kind === 'copy');
  const same = copy?.kind === 'copy' ? await openedCopy(copy.of) : readAs(null);
  if (same.state === 'unreadable') return same;
  // Whoever loses this browser would lose a key without a copy, and the holder a guardian.
  const accepted = here.value.filter((kept) => expectedKey !== null || kept.kind === 'copy' || kept.hasCopy);
  return readAs({ key: same.value, own: false, others: same.value ? [] : accepted });
}

/** While the storage cannot be read, the other ways to enter a key are offered. */
function firstStep(here: Reading<Found>): Step {
  switch (here.state) {
    case 'reading':
      return { at: 'reading' };
    case 'unreadable':
      return CHOOSE;
    case 'read':
      return here.value.key ? { at: 'found' } : CHOOSE;
  }
}
