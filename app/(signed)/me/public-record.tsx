'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../_session/current.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Identifier } from '../../_ui/identifier.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useDay } from '../../_ui/use-day.ts';

/** The public facts of the identity. */
export function PublicRecord() {
  const t = useTranslations('overview.record');
  const day = useDay();
  const { view, kept } = useHolder();
  const { domain, public_key: key, key_version: version, created_at: since } = view;
  return (
    <Card className="space-y-4">
      <h2>{t('title')}</h2>
      <p className="text-muted">{t('lead')}</p>
      <dl className="space-y-3">
        <Fact name={t('domain')}>{domain ?? t('none')}</Fact>
        <Fact name={t('since')}>{day(since)}</Fact>
        <Fact name={t('key')}>
          {key ? (
            <>
              <Identifier value={key} what="publicKey" keep={8} />
              <span className="block text-sm text-muted">{t('keyVersion', { version })}</span>
            </>
          ) : (
            t('none')
          )}
        </Fact>
      </dl>
      <Button asChild look="secondary">
        <LocalLink href={`/explore/${domain ?? kept.id}`}>{t('see')}</LocalLink>
      </Button>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[10rem_minmax(0,1fr)] sm:items-baseline sm:gap-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
