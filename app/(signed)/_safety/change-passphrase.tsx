'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { SealForm } from '../../_keys/seal-form.tsx';
import { useSession } from '../../_session/session.tsx';
import { useRevealed } from '../../_session/use-revealed.ts';
import { Button } from '../../_ui/button.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { Done, Part } from './part.tsx';

/** Adds or changes the passphrase of the key in this browser; key files and words stay as they are. */
export function ChangePassphrase() {
  const t = useTranslations('safety');
  const here = useTranslations('session.here');
  const { current, keep } = useSession();
  const isFirst = current?.file === null;
  const { key, show, hide } = useRevealed(isFirst ? 'reveal' : 'newPassphrase');
  const [createdAt] = useState(() => new Date());
  const [done, setDone] = useState<'added' | 'done' | null>(null);

  if (!current) return null;
  const { kind, domain } = current;
  if (key) {
    return (
      <Part id="passphrase">
        <Screen title={t('passphrase.new')} className="space-y-4">
          {!isFirst && <p className="text-sm text-muted">{t('passphrase.files')}</p>}
          <SealForm
            content={{ secret: key.secret, purpose: kind, beoDomain: domain, createdAt }}
            submit={t('passphrase.save')}
            making={here('saving')}
            failed={{ title: here('failedTitle'), what: here('failed') }}
            {...(!isFirst && { label: here('newLabel') })}
            onSealed={async (file) => {
              await keep({ ...current, file });
              hide();
              setDone(isFirst ? 'added' : 'done');
            }}
            more={(busy) => (
              <Button look="quiet" className="-ml-5" onClick={hide} disabled={busy}>
                {t('notNow')}
              </Button>
            )}
          />
        </Screen>
      </Part>
    );
  }
  return (
    <Part
      id="passphrase"
      title={t('passphrase.title')}
      what={t(isFirst ? 'passphrase.none' : 'passphrase.what')}
      action={
        <Button look="secondary" onClick={show}>
          {t(isFirst ? 'passphrase.add' : 'passphrase.change')}
        </Button>
      }
    >
      <Done>{done && t(`passphrase.${done}`)}</Done>
    </Part>
  );
}
