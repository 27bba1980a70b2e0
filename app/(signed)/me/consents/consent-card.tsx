'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { CertificationMark } from '../../../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../../../_ui/certified-for.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { Fact, ScopeSummary } from '../../../_ui/scope-summary.tsx';
import { consentState, StateBadge } from '../../../_ui/state-badge.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { GranteeLine, useGranteeName } from './new/grantee-name.tsx';
import { useGrantee } from './new/use-grantee.ts';

const MOST_CATEGORIES = 4;

type ConsentCardProps = {
  consent: TokenView;
  /** False while the list is scrolled: the grantee is not read then. */
  settled: boolean;
  onWithdraw: (name: string) => void;
};

/** One consent of the list, with a link to withdraw it. */
export function ConsentCard({ consent, settled, onWithdraw }: ConsentCardProps) {
  const t = useTranslations('consents');
  const words = useScopeWords();
  const day = useDay();
  const grantee = useGrantee(consent, settled);
  const name = useGranteeName()({ consent, grantee });
  const { status, scope, granted_at, expires_at, revoked_at, token_id } = consent;
  const beyond = useNotCertifiedFor();
  const notCertified = status === 'ACTIVE' && grantee.institution && beyond(grantee.institution, scope);
  const pauses = status === 'ACTIVE' && grantee.institution && grantee.institution.status !== 'ACTIVE';
  return (
    <Card className="space-y-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-lg break-words">{name}</h2>
          <GranteeLine consent={consent} grantee={grantee} />
          {grantee.institution && <CertificationMark institution={grantee.institution} />}
        </div>
        <StateBadge state={consentState(status)} />
      </div>
      <ScopeSummary scope={scope} categoriesAtMost={MOST_CATEGORIES} className="grid gap-x-8 gap-y-1.5 md:grid-cols-2">
        <Fact name={t('given')}>{day(granted_at)}</Fact>
        {status === 'ACTIVE' && <Fact name={t('holds')}>{words.end(expires_at)}</Fact>}
        {status === 'EXPIRED' && expires_at && <Fact name={t('ended')}>{day(expires_at)}</Fact>}
        {status === 'REVOKED' && revoked_at && <Fact name={t('withdrawnOn')}>{day(revoked_at)}</Fact>}
      </ScopeSummary>
      {notCertified && <p className="text-sm font-semibold text-caution-ink">{notCertified}</p>}
      {pauses && <p className="text-sm">{t('pauses')}</p>}
      <div className="flex flex-wrap gap-3">
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
