'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CopyOfKey } from '../../_session/copy-of-key.tsx';
import { useSession } from '../../_session/session.tsx';
import { useRevealed } from '../../_session/use-revealed.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Done, Part } from './part.tsx';

/** Makes a copy of the key: a file under a passphrase, or the 24 words. */
export function Backup() {
  const t = useTranslations('safety');
  const { current } = useSession();
  const { key, show, hide } = useRevealed();
  const [made, setMade] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (location.hash === '#backup') place.current?.scrollIntoView();
  }, []);

  if (!current) return null;
  const { domain, backedUp } = current;
  if (key) {
    return (
      <Part id="backup">
        <CopyOfKey
          secret={key.secret}
          lead={<p>{t(key.secret.holds === 'seed' ? 'backup.leadSeed' : 'backup.lead', { domain })}</p>}
          back={
            <Button look="quiet" className="-ml-5" onClick={hide}>
              {t('notNow')}
            </Button>
          }
          onKept={() => {
            hide();
            setMade(true);
          }}
        />
      </Part>
    );
  }
  return (
    <div ref={place}>
      <Part
        id="backup"
        title={t('backup.title')}
        what={backedUp ? t('backup.have') : t('backup.what')}
        action={
          <Button look={backedUp ? 'secondary' : 'primary'} onClick={show}>
            {t(backedUp ? 'backup.another' : 'backup.make')}
          </Button>
        }
      >
        {!backedUp && (
          <Alert tone="caution" title={t('backup.noneTitle')}>
            <p>{t('backup.none')}</p>
          </Alert>
        )}
        <Done>{made && t('backup.done')}</Done>
      </Part>
    </div>
  );
}
