'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { type KeptIdentity, lacksCopy, passphraseDate } from '../_keys/identities.ts';
import type { KeyFileProblem } from '../_keys/key-file.ts';
import { longDay } from '../_keys/long-day.ts';
import { warmKeyFile } from '../_keys/open-file-form.tsx';
import { PassphraseField } from '../_keys/passphrase-field.tsx';
import { Progress } from '../_keys/progress.tsx';
import type { OpenedKey } from '../_keys/secret.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { FormActions } from '../_ui/form-actions.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { PasskeyButton } from './passkey-button.tsx';

/** What the key is needed for; the last two also involve a new passphrase. */
export type UnlockReason = 'sign' | 'reveal' | 'replaceKey' | 'newPassphrase';

type UnlockFormProps = { identity: KeptIdentity; why: UnlockReason; onOpened: (key: OpenedKey) => void };

/** Opens the key in this browser by its passkey or its passphrase. */
export function UnlockForm({ identity, why, onOpened }: UnlockFormProps) {
  const t = useTranslations('session.unlock');
  const { passkey, publicKey, domain, file } = identity;
  const instead = file !== null ? 'passphrase' : lacksCopy(identity) ? 'guardians' : 'copy';
  return (
    <div className="space-y-5">
      {passkey && (
        <PasskeyButton passkey={passkey} publicKey={publicKey} domain={domain} instead={instead} onOpened={onOpened} />
      )}
      {passkey && file !== null && (
        <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
          {t('orPassphrase')}
        </p>
      )}
      {file !== null && <PassphraseForm identity={identity} file={file} why={why} onOpened={onOpened} />}
      <p className="text-sm text-muted">
        {t('forgot', { instead })}{' '}
        <LocalLink
          href={instead === 'guardians' ? '/recover' : `/sign-in/bring?domain=${encodeURIComponent(domain)}`}
          className={textLink}
        >
          {t(instead === 'guardians' ? 'recover' : 'otherWay')}
        </LocalLink>
      </p>
    </div>
  );
}

function PassphraseForm({ identity, file, why, onOpened }: UnlockFormProps & { file: string }) {
  const t = useTranslations('session.unlock');
  const keys = useTranslations('keys');
  const locale = useLocale();
  const hasPasskey = identity.passkey !== null;
  const field = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<KeyFileProblem | 'empty' | 'broken' | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  useEffect(() => {
    warmKeyFile();
    if (!hasPasskey) field.current?.focus();
  }, [hasPasskey]);

  const open = async (): Promise<KeyFileProblem | 'empty' | null> => {
    if (passphrase.trim() === '') return 'empty';
    setProgress(0);
    const { openKeyFile, readKeyFile } = await import('../_keys/key-file.ts');
    const read = readKeyFile(file);
    if ('problem' in read) return read.problem;
    const opened = await openKeyFile(read.file, passphrase, { onProgress: setProgress });
    if ('problem' in opened) return opened.problem;
    onOpened(opened.key);
    return null;
  };

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress !== null) return;
    setProblem(null);
    const found = await open().catch(() => 'broken' as const);
    setProgress(null);
    setProblem(found);
    if (found === 'empty' || found === 'passphrase') field.current?.focus();
  };

  const chosenOn = passphraseDate(identity);
  const date = chosenOn ? longDay(locale, chosenOn) : 'unknown';
  const atField = problem === 'empty' ? keys('problem.noPassphrase') : problem === 'passphrase' && t('wrong', { date });
  return (
    <form onSubmit={send} noValidate className="space-y-5">
      <PassphraseField
        ref={field}
        label={why === 'replaceKey' || why === 'newPassphrase' ? t('current') : undefined}
        hint={t('chosen', { date })}
        value={passphrase}
        onChange={setPassphrase}
        autoComplete="current-password"
        account={identity.domain}
        error={atField || undefined}
        disabled={progress !== null}
      />
      <div role="alert">
        {problem && !atField && (
          <Alert tone="danger">
            <p>
              {problem === 'broken'
                ? keys('broken')
                : keys(`problem.${problem as Exclude<KeyFileProblem, 'passphrase'>}`)}
            </p>
          </Alert>
        )}
      </div>
      {progress === null ? (
        <FormActions>
          <Button type="submit" size="large" look={hasPasskey ? 'secondary' : 'primary'}>
            {t('open')}
          </Button>
        </FormActions>
      ) : (
        <Progress doing={t('opening')} fraction={progress} />
      )}
    </form>
  );
}
