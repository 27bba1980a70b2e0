'use client';

import { useTranslations } from 'use-intl/react';
import type { NetworkFacts } from '../../../server/ledger/read.ts';
import { ExternalLink } from '../../_ui/external-link.tsx';

type OnNetworkProps = { network: NetworkFacts; l1Tx: string | null; seq: number };

/** The last step, which the visitor does elsewhere: this page may not call other servers. */
export function OnNetwork({ network, l1Tx, seq }: OnNetworkProps) {
  const t = useTranslations('explore.check.network');
  return (
    <section aria-labelledby="on-network" className="mt-8">
      <h3 id="on-network" className="text-lg">
        {t('title')}
      </h3>
      {l1Tx === null ? (
        <p className="mt-1">{t('notYet')}</p>
      ) : (
        <>
          <p className="mt-1">{t('how')}</p>
          <p className="mt-2 font-mono text-sm" translate="no">
            "seq":{seq},
          </p>
          <p className="mt-2">
            <ExternalLink href={`${network.gatewayUrl}/raw/${l1Tx}`}>{t('bundle')}</ExternalLink>
          </p>
          <p className="mt-2 text-sm text-muted">{t(network.kind)}</p>
        </>
      )}
    </section>
  );
}
