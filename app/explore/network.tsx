'use client';

import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../messages/languages.ts';
import type { Failure } from '../_trpc/failure.ts';
import { useSentence } from '../_trpc/refused.tsx';
import { Alert } from '../_ui/alert.tsx';
import { formatAr, formatDuration, formatExact } from '../_ui/format.ts';
import { Identifier } from '../_ui/identifier.tsx';
import { useBrowser } from '../_ui/use-browser.ts';
import type { LedgerState } from './ledger-now.tsx';

type NetworkProps = {
  state: LedgerState | undefined;
  failure: Failure | undefined;
  /** Milliseconds: when `state` was read. */
  readAt: number;
  testNetwork: boolean;
};

/** The state of the network in four facts, and its problems. */
export function Network({ state, failure, readAt, testNetwork }: NetworkProps) {
  const t = useTranslations('explore.network');
  const region = regionOf(useLocale());
  const sentence = useSentence();
  const inBrowser = useBrowser();
  const readTime = formatExact(region, readAt, inBrowser ? undefined : 'UTC');
  return (
    <section aria-labelledby="network" className="space-y-5">
      <h2 id="network">{t('title')}</h2>
      {testNetwork && (
        <Alert tone="caution" title={t('testTitle')}>
          <p>{t('test')}</p>
        </Alert>
      )}
      <div role="status" className="space-y-3">
        {state && <Overall readiness={state.readiness} />}
        {failure && (
          <Alert tone="danger" title={state ? undefined : t('unavailable')}>
            {sentence(failure)} {state && t('stale', { time: readTime })}
          </Alert>
        )}
      </div>
      {state && <Facts state={state} />}
    </section>
  );
}

function Overall({ readiness }: { readiness: LedgerState['readiness'] }) {
  const t = useTranslations('explore.network');
  const problems = (['database', 'ledger', 'limiter', 'network', 'wallet', 'storage', 'backlog'] as const).filter(
    (part) => !readiness[part].ok,
  );
  if (readiness.status === 'ready') {
    return (
      <p className="flex items-center gap-2.5 text-lg">
        <span aria-hidden className="size-3 rounded-full bg-accent" />
        {t('state.ready')}
      </p>
    );
  }
  return (
    <Alert tone={readiness.status === 'unavailable' ? 'danger' : 'caution'} title={t(`state.${readiness.status}`)}>
      <ul>
        {problems.map((part) => (
          <li key={part}>{t(`problem.${part}`)}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Facts({ state: { ledger, readiness } }: { state: LedgerState }) {
  const t = useTranslations('explore.network');
  const region = regionOf(useLocale());
  const { network, wallet, backlog } = readiness;
  const devnet = network.kind === 'devnet';
  const head = ledger?.head.id ? ledger.head : null;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line max-[30rem]:grid-cols-1">
      <Fact name={t('storage')} value={t(devnet ? 'devnet' : 'arweave')}>
        <span className="block">{t(devnet ? 'devnetNote' : 'arweaveNote')}</span>
        {network.height === null ? t('noHeight') : t('height', { height: network.height })}
      </Fact>
      <Fact
        name={t('head')}
        value={head ? t('headAt', { seq: head.seq, epoch: head.epoch }) : ledger ? t('noHead') : t('unknown')}
      >
        {head?.id ? <Identifier value={head.id} what="headId" keep={8} /> : t('noHeadNote')}
      </Fact>
      <Backlog entries={backlog.entries} oldestSeconds={backlog.oldest_seconds} />
      <Fact
        name={t('wallet')}
        value={
          wallet.balance_winston === null
            ? t('unknown')
            : t('balance', { amount: formatAr(region, wallet.balance_winston) })
        }
      >
        {wallet.address && <Identifier value={wallet.address} what="walletAddress" keep={8} />}
        {devnet && <span className="block">{t('testMoney')}</span>}
      </Fact>
    </dl>
  );
}

function Backlog({ entries, oldestSeconds }: { entries: number | null; oldestSeconds: number | null }) {
  const t = useTranslations('explore.network');
  const region = regionOf(useLocale());
  if (entries === null) return <Fact name={t('backlog')} value={t('unknown')} />;
  if (entries === 0) {
    return (
      <Fact name={t('backlog')} value={t('noBacklog')}>
        {t('noBacklogNote')}
      </Fact>
    );
  }
  return (
    <Fact name={t('backlog')} value={t('backlogCount', { entries })}>
      {oldestSeconds !== null && t('oldest', { duration: formatDuration(region, oldestSeconds) })}
    </Fact>
  );
}

function Fact({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div className="min-w-0 bg-surface p-3 sm:p-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-lg font-bold break-words tabular-nums sm:text-xl">{value}</dd>
      <dd className="mt-1 text-sm text-muted">{children}</dd>
    </div>
  );
}
