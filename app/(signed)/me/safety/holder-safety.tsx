'use client';

import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { Button } from '../../../_ui/button.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { IfWrong } from '../../_safety/if-wrong.tsx';
import { KeyParts } from '../../_safety/key-parts.tsx';
import { LeaveParts } from '../../_safety/leave-parts.tsx';
import { Part, Parts } from '../../_safety/part.tsx';

/** All actions on the key of a holder. */
export function HolderSafety() {
  const t = useTranslations('safety');
  const { kept } = useHolder();
  return (
    <>
      <h1>{t('title')}</h1>
      <p className="mt-2 mb-6 max-w-prose text-muted">{t('lead', { domain: kept.domain })}</p>
      <div className="space-y-8">
        <KeyParts />
        <Parts>
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
        </Parts>
        <IfWrong home="/me" />
        <LeaveParts title={t('leave')} home="/me" />
      </div>
    </>
  );
}
