'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../../_keys/back-button.tsx';
import { dropCopy, dropDraft, recoveryDraft } from '../../../_keys/browser-copy.ts';
import { FilePick } from '../../../_keys/file-pick.tsx';
import { homeOf } from '../../../_keys/identities.ts';
import type { KeyFile } from '../../../_keys/key-file.ts';
import { OpenFileForm, readPicked, useAnotherFile } from '../../../_keys/open-file-form.tsx';
import { type OpenedFrom, OpenKey } from '../../../_keys/open-key.tsx';
import type { OpenedKey } from '../../../_keys/secret.ts';
import { type Owner, useLookup } from '../../../_session/look-up.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { useGo } from '../../../_ui/local-link.tsx';
import { Screen } from '../../../_ui/screen.tsx';
import { KeepHere } from '../../../_wizard/keep-here.tsx';
import { ByWords } from './by-words.tsx';

export type OpenKeyStep =
  | { at: 'pick' | 'words' }
  | { at: 'open'; owner: Owner }
  | { at: 'file'; owner: Owner; file: KeyFile }
  | { at: 'keep'; owner: Owner; key: OpenedKey; from: OpenedFrom; filePassphrase?: string | undefined };

type OpenKeyStepsProps = { step: OpenKeyStep; onStep: (next: OpenKeyStep | { at: 'identity' }) => void };

/** What follows once the person has chosen how to find the identity. */
export function OpenKeySteps({ step, onStep: to }: OpenKeyStepsProps) {
  const t = useTranslations('signIn.bring');
  const go = useGo();
  switch (step.at) {
    case 'words':
      return (
        <ByWords
          onFound={(owner, key) => to({ at: 'keep', owner, key, from: 'words' })}
          onBack={() => to({ at: 'identity' })}
        />
      );
    case 'pick':
      return <Pick onPicked={(owner, file) => to({ at: 'file', owner, file })} onBack={() => to({ at: 'identity' })} />;
    case 'open': {
      const { id, kind, domain, publicKey } = step.owner;
      return (
        <div className="space-y-4">
          <OpenKey
            beoId={id}
            beoDomain={domain}
            purpose={kind}
            expectedKey={publicKey}
            notice={
              kind === 'institution' && (
                <Alert>
                  <p>{t('institution', { domain })}</p>
                </Alert>
              )
            }
            codes
            heading="h1"
            onOpened={(key, from, filePassphrase) => to({ at: 'keep', owner: step.owner, key, from, filePassphrase })}
          />
          <BackButton label={t('another')} onBack={() => to({ at: 'identity' })} />
        </div>
      );
    }
    case 'file':
      return (
        <OpenPicked
          {...step}
          onOpened={(key, filePassphrase) => to({ at: 'keep', owner: step.owner, key, from: 'file', filePassphrase })}
          onBack={() => to({ at: 'pick' })}
        />
      );
    case 'keep': {
      const { owner, key, from, filePassphrase } = step;
      return (
        <KeepHere
          key="keep"
          identity={{ ...owner, backedUp: from !== 'code' }}
          opened={key}
          filePassphrase={filePassphrase}
          notice={<p className="font-semibold text-accent-ink">{t('right', { domain: owner.domain })}</p>}
          onKept={async () => {
            await dropCopy({ purpose: owner.kind, beoId: owner.id, publicKey: owner.publicKey });
            await dropDraft(recoveryDraft(owner.id));
          }}
          onDone={() => go(homeOf(owner.kind))}
        />
      );
    }
  }
}

type PickProps = { onPicked: (owner: Owner, file: KeyFile) => void; onBack: () => void };

/** A key file names the identity of its key. */
function Pick({ onPicked, onBack }: PickProps) {
  const t = useTranslations('signIn.bring');
  const keys = useTranslations('keys');
  const lookUp = useLookup();
  const another = useAnotherFile();
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const read = async (picked: File): Promise<string | null> => {
    const found = await readPicked(picked);
    if ('problem' in found) return keys(`problem.${found.problem}`);
    const { file } = found;
    if (file.purpose === 'guardian') return t('guardianFile', { domain: file.beo_domain });
    const looked = await lookUp(file.beo_domain);
    if ('owner' in looked) {
      const { owner } = looked;
      if (owner.publicKey !== file.public_key) return another(owner.kind, owner.domain, file);
      onPicked(owner, file);
      return null;
    }
    if (looked.problem === 'failed') {
      setFailure(looked.failure);
      return null;
    }
    return t(looked.problem, { domain: file.beo_domain });
  };

  const pick = async (picked: File | undefined) => {
    setWrong(null);
    setFailure(null);
    if (!picked) return;
    const found = await read(picked).catch(() => keys('broken'));
    setWrong(found);
    if (found) input.current?.focus();
  };

  return (
    <Screen key="pick" title={keys('open.fileTitle')} heading="h1" className="space-y-5">
      <p>{keys('open.fileLead')}</p>
      <FilePick ref={input} error={wrong} onPick={(picked) => void pick(picked)} />
      <Refused failure={failure} />
      <BackButton label={keys('anotherWay')} onBack={onBack} />
    </Screen>
  );
}

type OpenPickedProps = {
  owner: Owner;
  file: KeyFile;
  onOpened: (key: OpenedKey, passphrase: string) => void;
  onBack: () => void;
};

function OpenPicked({ owner: { domain, publicKey }, file, onOpened, onBack }: OpenPickedProps) {
  const t = useTranslations('signIn.bring');
  const keys = useTranslations('keys');
  return (
    <Screen key="file" title={t('fileOf', { domain })} heading="h1" className="space-y-5">
      <p>{t('filePassphrase')}</p>
      <OpenFileForm
        beoDomain={domain}
        expectedKey={publicKey}
        submit={keys('open.open')}
        anotherKey={() => ''}
        picked={file}
        onOpened={onOpened}
      />
      <BackButton label={t('anotherFile')} onBack={onBack} />
    </Screen>
  );
}
