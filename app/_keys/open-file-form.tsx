'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { FilePick } from './file-pick.tsx';
import type { KeyFile, KeyFileProblem } from './key-file.ts';
import { longDay } from './long-day.ts';
import { PassphraseField } from './passphrase-field.tsx';
import { Progress } from './progress.tsx';
import type { OpenedKey, Purpose } from './secret.ts';

type OpenFileFormProps = {
  beoDomain: string;
  /** Null where any key will do. */
  expectedKey: string | null;
  submit: string;
  /** The message for a file with another key than the expected one. */
  anotherKey: (file: KeyFile) => string;
  onOpened: (key: OpenedKey, passphrase: string) => void;
  /** A file that was picked already. */
  picked?: KeyFile;
  /** Whether this browser keeps the file, under the passphrase chosen for this browser. */
  keptHere?: boolean;
  /** Buttons beside the one that opens. */
  more?: ReactNode;
};

type Wrong = { readonly part: 'file' | 'passphrase' | 'device'; readonly what: string };

/** Asks for the file and its passphrase, and reports the key if it is the expected one. */
export function OpenFileForm(form: OpenFileFormProps) {
  const { beoDomain, expectedKey, submit, anotherKey, onOpened, picked, keptHere = false, more } = form;
  const t = useTranslations('keys');
  const locale = useLocale();
  const fileInput = useRef<HTMLInputElement>(null);
  const passphraseInput = useRef<HTMLInputElement>(null);
  const reading = useRef<Promise<KeyFile | null>>(Promise.resolve(picked ?? null));
  const [passphrase, setPassphrase] = useState('');
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  useEffect(warmKeyFile, []);

  const refuse = (part: Wrong['part'], what: string) => {
    setWrong({ part, what });
    if (part === 'file') fileInput.current?.focus();
    if (part === 'passphrase') passphraseInput.current?.focus();
  };

  const pick = async (picked: File | undefined): Promise<KeyFile | null> => {
    setWrong(null);
    if (!picked) return null;
    const found = await readPicked(picked);
    const problem =
      'problem' in found
        ? t(`problem.${found.problem}`)
        : expectedKey === null || found.file.public_key === expectedKey
          ? null
          : anotherKey(found.file);
    if (problem === null && 'file' in found) return found.file;
    refuse('file', problem ?? '');
    return null;
  };

  const open = async () => {
    const file = await reading.current;
    if (!file) return wrong?.part === 'file' ? fileInput.current?.focus() : refuse('file', t('problem.noFile'));
    if (passphrase.trim() === '') return refuse('passphrase', t('problem.noPassphrase'));
    setWrong(null);
    setProgress(0);
    const { openKeyFile } = await import('./key-file.ts');
    const opened = await openKeyFile(file, passphrase, { onProgress: setProgress });
    setProgress(null);
    if ('key' in opened) return onOpened(opened.key, passphrase);
    const chosen = { place: keptHere ? 'browser' : 'file', date: longDay(locale, new Date(file.created_at)) };
    refuse(PART[opened.problem], t(`problem.${opened.problem}`, chosen));
  };

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress !== null) return;
    open().catch(() => {
      setProgress(null);
      refuse('device', t('broken'));
    });
  };

  return (
    <form onSubmit={send} noValidate className="space-y-5">
      {picked ? (
        <p role="alert" className="font-semibold text-danger-ink empty:hidden">
          {wrong?.part === 'file' && wrong.what}
        </p>
      ) : (
        <FilePick
          ref={fileInput}
          error={wrong?.part === 'file' ? wrong.what : null}
          onPick={(file) => {
            reading.current = pick(file).catch(() => {
              refuse('file', t('broken'));
              return null;
            });
          }}
        />
      )}
      <PassphraseField
        ref={passphraseInput}
        value={passphrase}
        onChange={setPassphrase}
        autoComplete="current-password"
        account={beoDomain}
        error={wrong?.part === 'passphrase' ? wrong.what : undefined}
        disabled={progress !== null}
      />
      <div>
        <div role="alert">
          {wrong?.part === 'device' && (
            <Alert tone="danger" className="mb-5">
              <p>{wrong.what}</p>
            </Alert>
          )}
        </div>
        {progress === null ? (
          <FormActions>
            <Button type="submit" size="large">
              {submit}
            </Button>
            {more}
          </FormActions>
        ) : (
          <Progress doing={t('open.opening')} fraction={progress} />
        )}
      </div>
    </form>
  );
}

const PART: Record<KeyFileProblem, Wrong['part']> = {
  foreign: 'file',
  damaged: 'file',
  newer: 'file',
  excessive: 'file',
  passphrase: 'passphrase',
  device: 'device',
};

/** Loads the code for key files while the person types; if that fails, it is loaded when it is needed. */
export function warmKeyFile(): void {
  import('./key-file.ts').catch(() => {});
}

/** The plain members of a picked file, or why it is no key file. */
export async function readPicked(picked: File) {
  const { MAX_KEY_FILE_BYTES, readKeyFile } = await import('./key-file.ts');
  return picked.size > MAX_KEY_FILE_BYTES ? ({ problem: 'foreign' } as const) : readKeyFile(await picked.text());
}

/** The message for a file with another key than the one needed. */
export function useAnotherFile(): (purpose: Purpose, beoDomain: string, file: KeyFile) => string {
  const t = useTranslations('keys.problem');
  const locale = useLocale();
  return (purpose, beoDomain, file) => {
    const alike = file.purpose === purpose && file.beo_domain === beoDomain;
    return t(alike ? 'olderFile' : 'otherFile', {
      purpose: file.purpose,
      fileDomain: file.beo_domain,
      domain: beoDomain,
      date: longDay(locale, new Date(file.created_at)),
    });
  };
}
