'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Freeze } from './freeze-part.tsx';
import { Part, Parts } from './part.tsx';

/** What helps where someone else may have the key, or it is lost, and where alerts are set; the safe action first. `home`: the first page of the identity. */
export function IfWrong({ home }: { home: '/me' | '/institution' }) {
  const t = useTranslations('safety');
  const { current } = useSession();
  return (
    <Parts title={t('wrong')}>
      <Freeze />
      <Part
        id="replace"
        title={t('replace.title')}
        what={t('replace.when')}
        action={
          <Button asChild look="secondary">
            <LocalLink href={`${home}/replace`}>{t('replace.begin')}</LocalLink>
          </Button>
        }
      />
      {home === '/me' && (
        <>
          <Part
            id="guardians"
            title={t('guardians.title')}
            what={t('guardians.what')}
            action={
              <Button asChild look="secondary">
                <LocalLink href={`/recover?domain=${encodeURIComponent(current?.domain ?? '')}`}>
                  {t('guardians.begin')}
                </LocalLink>
              </Button>
            }
          />
          <Part
            id="alerts"
            title={t('alerts.title')}
            what={t('alerts.what')}
            action={
              <Button asChild look="secondary">
                <LocalLink href="/me/alerts">{t('alerts.manage')}</LocalLink>
              </Button>
            }
          />
        </>
      )}
    </Parts>
  );
}
