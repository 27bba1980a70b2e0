'use client';

import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../../../messages/languages.ts';
import type { TokenView } from '../../../../../protocol/entities/token.ts';
import { CertificationMark } from '../../../../_ui/certification-mark.tsx';
import { Label, ScopeSummary } from '../../../../_ui/scope-summary.tsx';
import './receipt.css';
import { useProgress } from '../../../../_session/write.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { formatExact } from '../../../../_ui/format.ts';
import { Identifier } from '../../../../_ui/identifier.tsx';
import { consentState, StateBadge } from '../../../../_ui/state-badge.tsx';
import { useScopeWords } from '../../../../_ui/use-scope-words.ts';
import { useGranteeName } from './grantee-name.tsx';
import { useGrantee } from './use-grantee.ts';

const KEEP = 8;

/** A consent as a document that prints on one page. */
export function ConsentReceipt({ consent }: { consent: TokenView }) {
  const t = useTranslations('consents.receipt');
  const words = useScopeWords();
  const region = regionOf(useLocale());
  const grantee = useGrantee(consent);
  const name = useGranteeName()({ consent, grantee });
  const exactly = (at: string) => formatExact(region, Date.parse(at), undefined);
  const status = useProgress([consent.arweave_tx]).get(consent.arweave_tx)?.status ?? 'ACCEPTED';
  const { own, institution } = grantee;
  return (
    <article className="consent-receipt rounded-lg border border-line bg-surface p-5 sm:p-7 print:border-0 print:p-0 print:text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <h2>{t('title')}</h2>
        <StateBadge state={consentState(consent.status)} />
      </div>
      <div className="grid gap-x-8 gap-y-4 border-b border-line py-4 sm:grid-cols-2 print:grid-cols-2">
        <Party role={t('giver')} name={consent.beo_domain ?? t('nameless')} id={consent.beo_id} what="identityId" />
        <Party
          role={t('receiver')}
          name={own ? t('self') : name}
          id={consent.ieo_id}
          what={own ? 'identityId' : 'institutionId'}
        >
          {!own && consent.ieo_domain !== name && <p translate="no">{consent.ieo_domain}</p>}
          {institution && (
            <>
              <p className="text-sm text-muted first-letter:uppercase">{words.ieoType(institution.ieo_type)}</p>
              <CertificationMark institution={institution} />
            </>
          )}
        </Party>
      </div>
      <div className="border-b border-line py-4">
        <ScopeSummary scope={consent.scope} className="space-y-2">
          {consent.scope.period === null && (
            <Line name={t('collected')}>
              <Label>{words.period(null)}</Label>
            </Line>
          )}
          <Line name={t('given')}>{exactly(consent.granted_at)}</Line>
          <Line name={consent.expires_at ? t('until') : t('holds')}>
            {consent.expires_at ? exactly(consent.expires_at) : <Label>{words.end(null)}</Label>}
          </Line>
          {consent.revoked_at && <Line name={t('withdrawn')}>{exactly(consent.revoked_at)}</Line>}
        </ScopeSummary>
      </div>
      <dl className="space-y-2 pt-4">
        <Line name={t('id')}>
          <Identifier value={consent.token_id} what="consentId" keep={KEEP} />
        </Line>
        <Line name={t('transaction')}>
          <Identifier
            value={consent.arweave_tx}
            what="transactionId"
            keep={KEEP}
            href={`/explore/${consent.arweave_tx}`}
          />
        </Line>
        <Line name={t('ledger')}>{t('status', { status })}</Line>
        <Line name={t('hash')}>
          <Identifier value={consent.token_hash} what="hash" keep={KEEP} />
        </Line>
        <Line name={t('signature')}>
          <Identifier value={consent.owner_signature} what="signature" keep={KEEP} />
        </Line>
      </dl>
      <p className="pt-4 text-sm text-muted">{t('worth')}</p>
    </article>
  );
}

type PartyProps = {
  role: string;
  name: string;
  id: string;
  what: 'identityId' | 'institutionId';
  children?: ReactNode;
};

function Party({ role, name, id, what, children }: PartyProps) {
  return (
    <div className="min-w-0">
      <p className="text-sm text-muted">{role}</p>
      <p className="font-bold break-words">{name}</p>
      {children}
      <div>
        <Identifier value={id} what={what} keep={KEEP} className="text-sm" />
      </div>
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-x-4 print:grid print:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-sm text-muted sm:pt-0.5">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

export function PrintReceipt() {
  const t = useTranslations('consents.receipt');
  return (
    <Button size="large" look="secondary" onClick={() => window.print()}>
      <Printer aria-hidden />
      {t('print')}
    </Button>
  );
}
