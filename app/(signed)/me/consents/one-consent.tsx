'use client';

import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useHolder } from '../../../_session/current.tsx';
import { failureOf } from '../../../_trpc/failure.ts';
import { useTRPC } from '../../../_trpc/query-provider.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { BackTo } from '../../../_ui/back-to.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { ConsentPicture } from '../../../_ui/consent-picture.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { CardSkeleton } from '../../../_ui/skeletons.tsx';
import { useLoadAhead } from '../../../_ui/use-load-ahead.ts';
import { inForce } from './consents-in-force.ts';
import { GranteeLine, useGranteeName } from './new/grantee-name.tsx';
import { ConsentReceipt, PrintReceipt } from './new/receipt.tsx';
import { useGrantee } from './new/use-grantee.ts';
import { useConsents } from './use-consents.ts';
import { useEnd } from './use-end.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Loaded once the person begins to use the page. */
const loadDialog = async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog;
const WithdrawDialog = deferred(loadDialog);

const MOST_CATEGORIES = 6;

/** One consent as a receipt, to print and to withdraw. */
export function OneConsent({ tokenId }: { tokenId: string }) {
  const t = useTranslations('consents');
  const trpc = useTRPC();
  const { kept } = useHolder();
  const { data, error } = useQuery(trpc.consent.queryOptions({ tokenId }));
  const consent = data?.token;
  return (
    <div className="max-w-prose space-y-5">
      <BackTo href="/me/consents">{t('back')}</BackTo>
      {error && <Refused failure={failureOf(error)} />}
      {!data && !error && (
        <>
          <CardSkeleton />
          <CardSkeleton lines={8} />
        </>
      )}
      {consent?.beo_id === kept.id && <Own consent={consent} />}
      {data && consent?.beo_id !== kept.id && (
        <>
          <h1>{t('oneTitle')}</h1>
          <Alert tone="caution">
            <p>{t('unknown')}</p>
          </Alert>
        </>
      )}
    </div>
  );
}

type OfOne = Extract<Withdrawal, { who: string }>;

function Own({ consent }: { consent: TokenView }) {
  const t = useTranslations('consents');
  useLoadAhead(loadDialog);
  const { kept } = useHolder();
  const grantee = useGrantee(consent);
  const who = useGranteeName()({ consent, grantee });
  const ended = useEnd(consent);
  const { consents, complete } = useConsents(kept.id);
  const [withdrawal, setWithdrawal] = useState<OfOne | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { token_id: tokenId, ieo_id: ieoId } = consent;
  const count = consents.filter((other) => other.ieo_id === ieoId && inForce(other)).length;
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="focus:outline-none print:hidden">
        {t('oneTitle')}
      </h1>
      <Card className="print:hidden">
        <ConsentPicture
          who={
            <>
              <p className="font-semibold break-words">{who}</p>
              <GranteeLine consent={consent} grantee={grantee} />
            </>
          }
          own={grantee.own}
          scope={consent.scope}
          granted_at={consent.granted_at}
          expires_at={consent.expires_at}
          categoriesAtMost={MOST_CATEGORIES}
          ended={ended}
        />
      </Card>
      <ConsentReceipt consent={consent} />
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap print:hidden">
        {inForce(consent) && (
          <Button
            size="large"
            look="secondary"
            onClick={() => setWithdrawal({ kind: 'one', tokenId, who, own: grantee.own })}
          >
            {t('withdraw')}
          </Button>
        )}
        {count > 1 && (
          <Button
            size="large"
            look="secondary"
            onClick={() => setWithdrawal({ kind: 'grantee', ieoId, who, own: grantee.own, count })}
          >
            {t('withdrawAllOf', { count })}
          </Button>
        )}
        <PrintReceipt />
      </div>
      {withdrawal && (
        <WithdrawDialog
          // The name may be read only after the button is pressed.
          withdrawal={{ ...withdrawal, who, own: grantee.own }}
          counted={complete}
          onClose={(withdrawn) => {
            setWithdrawal(null);
            if (withdrawn) requestAnimationFrame(() => heading.current?.focus());
          }}
        />
      )}
    </>
  );
}
