'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { CertificationMark } from '../../../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../../../_ui/certified-for.tsx';
import { ConsentPicture } from '../../../_ui/consent-picture.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { ScopeLimits } from '../../../_ui/scope-summary.tsx';
import { consentState, StateBadge } from '../../../_ui/state-badge.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { GranteeLine, useGranteeName } from './new/grantee-name.tsx';
import { useGrantee } from './new/use-grantee.ts';
import { useEnd } from './use-end.ts';

const MOST_CATEGORIES = 3;

type ConsentCardProps = {
  consent: TokenView;
  /** False while the list is scrolled: the grantee is not read then. */
  settled: boolean;
  onWithdraw: (name: string) => void;
};

/** One consent of the list: a row on a desktop, with a button to withdraw it. */
export function ConsentCard({ consent, settled, onWithdraw }: ConsentCardProps) {
  const t = useTranslations('consents');
  const day = useDay();
  const grantee = useGrantee(consent, settled);
  const name = useGranteeName()({ consent, grantee });
  const { status, scope, granted_at, expires_at, token_id } = consent;
  const ended = useEnd(consent);
  const beyond = useNotCertifiedFor();
  const notCertified = status === 'ACTIVE' && grantee.institution && beyond(grantee.institution, scope);
  const isLimited = scope.levels.length > 0 || scope.period !== null || scope.max_records !== null;
  const pauses = status === 'ACTIVE' && grantee.institution && grantee.institution.status !== 'ACTIVE';
  const hasNotes = isLimited || notCertified || pauses;
  return (
    <Card className="grid items-start gap-x-6 gap-y-3 p-4! lg:grid-cols-[minmax(0,1fr)_auto]">
      <ConsentPicture
        compact
        who={
          <>
            <h2 className="text-lg break-words">{name}</h2>
            <span className="flex flex-wrap items-center gap-1.5 py-0.5">
              <StateBadge state={consentState(status)} />
              {grantee.institution && <CertificationMark institution={grantee.institution} />}
            </span>
            <GranteeLine consent={consent} grantee={grantee} />
          </>
        }
        own={grantee.own}
        scope={scope}
        granted_at={granted_at}
        expires_at={expires_at}
        categoriesAtMost={MOST_CATEGORIES}
        ended={ended}
        note={t('givenOn', { day: day(granted_at) })}
      />
      {hasNotes && (
        <div className="space-y-1 text-sm lg:row-start-2">
          {isLimited && (
            <dl className="grid gap-x-8 gap-y-1 md:grid-cols-2">
              <ScopeLimits scope={scope} />
            </dl>
          )}
          {notCertified && <p className="font-semibold text-caution-ink">{notCertified}</p>}
          {pauses && <p>{t('pauses')}</p>}
        </div>
      )}
      <div className={clsx('flex flex-wrap gap-x-3 gap-y-1 lg:flex-col lg:items-stretch', hasNotes && 'lg:row-span-2')}>
        {status === 'ACTIVE' && (
          <Button look="secondary" onClick={() => onWithdraw(name)}>
            {t('withdraw')}
            <span className="sr-only">{name}</span>
          </Button>
        )}
        <Button asChild look="quiet">
          <LocalLink href={`/me/consents/${token_id}`}>
            {t('receipt.see')}
            <span className="sr-only">{name}</span>
          </LocalLink>
        </Button>
      </div>
    </Card>
  );
}
