'use client';

import { FileKey2, NotebookPen } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BackButton } from '../../../_keys/back-button.tsx';
import { dropCopy, dropDraft, recoveryDraft } from '../../../_keys/browser-copy.ts';
import { Choice } from '../../../_keys/choice.tsx';
import { FilePick } from '../../../_keys/file-pick.tsx';
import { homeOf } from '../../../_keys/identities.ts';
import type { KeyFile } from '../../../_keys/key-file.ts';
import { OpenFileForm, readPicked, useAnotherFile } from '../../../_keys/open-file-form.tsx';
import { type OpenedFrom, OpenKey } from '../../../_keys/open-key.tsx';
import type { OpenedKey } from '../../../_keys/secret.ts';
import { useWiped } from '../../../_keys/use-wiped.ts';
import { type Owner, useLookup } from '../../../_session/look-up.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Field } from '../../../_ui/field.tsx';
import { useGo } from '../../../_ui/local-link.tsx';
import { normalizeReference } from '../../../_ui/reference.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { KeepHere } from '../../../_wizard/keep-here.tsx';
import { ByWords } from './by-words.tsx';

type Step =
  | { at: 'identity' | 'pick' | 'words' }
  | { at: 'open'; owner: Owner }
  | { at: 'file'; owner: Owner; file: KeyFile }
  | { at: 'keep'; owner: Owner; key: OpenedKey; from: OpenedFrom; filePassphrase?: string | undefined };

/** Brings a key into this browser: its identity, the key itself, and how this browser protects it. */
export function BringKey({ suffix }: { suffix: string }) {
  const t = useTranslations('signIn.bring');
  const go = useGo();
  const [step, setStep] = useState<Step>({ at: 'identity' });
  const [moved, setMoved] = useState(false);

  useWiped(step.at === 'keep' ? step.key : null);

  const to = (next: Step) => {
    setMoved(true);
    setStep(next);
  };

  switch (step.at) {
    case 'identity':
      return (
        <FindIdentity
          suffix={suffix}
          focus={moved}
          onFound={(owner) => to({ at: 'open', owner })}
          onFile={() => to({ at: 'pick' })}
          onWords={() => to({ at: 'words' })}
        />
      );
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

type Search =
  | { readonly at: 'idle' | 'searching' }
  | { readonly at: 'empty' | 'unknown' | 'destroyed'; readonly domain: string }
  | { readonly at: 'failed'; readonly failure: Failure };

type FindIdentityProps = {
  suffix: string;
  focus: boolean;
  onFound: (owner: Owner) => void;
  onFile: () => void;
  onWords: () => void;
};

function FindIdentity({ suffix, focus, onFound, onFile, onWords }: FindIdentityProps) {
  const t = useTranslations('signIn.bring');
  const lookUp = useLookup();
  const parameters = useSearchParams();
  const given = parameters.get('domain') ?? '';
  const lang = parameters.get('lang');
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(given);
  const [search, setSearch] = useState<Search>({ at: 'idle' });
  const wasSearched = useRef(false);

  const find = async (name: string) => {
    const domain = normalizeReference(name, suffix);
    if (domain === '') {
      setSearch({ at: 'empty', domain });
      return input.current?.focus();
    }
    setSearch({ at: 'searching' });
    const found = await lookUp(domain);
    if ('owner' in found) return onFound(found.owner);
    if (found.problem === 'failed') return setSearch({ at: 'failed', failure: found.failure });
    setSearch({ at: found.problem, domain });
    input.current?.focus();
  };

  useEffect(() => {
    if (given === '' || wasSearched.current || focus) return;
    wasSearched.current = true;
    // A person may have corrected the field before the scripts ran.
    if (input.current?.value === given) void find(given);
  });

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (search.at !== 'searching') void find(typed);
  };

  return (
    <Screen key="identity" title={t('title')} heading="h1" focus={focus} className="space-y-5">
      <p className="text-lg">{t('lead')}</p>
      <form onSubmit={send} noValidate className="space-y-5">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <Field
          ref={input}
          name="domain"
          label={t('domain')}
          hint={t('domainHint', { suffix })}
          error={'domain' in search ? t(search.at, { domain: search.domain }) : undefined}
          value={typed}
          onType={setTyped}
          maxLength={80}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          action={
            <Button type="submit" size="large" busy={search.at === 'searching'}>
              {t('find')}
            </Button>
          }
        />
        <Refused failure={search.at === 'failed' ? search.failure : null} />
      </form>
      <section aria-labelledby="forgotten" className="space-y-3">
        <h2 id="forgotten" className="text-lg">
          {t('forgotten.title')}
        </h2>
        <p>{t('forgotten.lead')}</p>
        <Choice icon={FileKey2} name={t('file')} what={t('fileWhat')} onChoose={onFile} />
        <Choice icon={NotebookPen} name={t('words.name')} what={t('words.what')} onChoose={onWords} />
        <p className="text-muted">{t('forgotten.else')}</p>
      </section>
    </Screen>
  );
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
