import type { ReactNode } from 'react';
import { Alert } from '../_ui/alert.tsx';
import { formatAr, formatDuration, formatExact } from '../_ui/format.ts';
import { Identifier } from '../_ui/identifier.tsx';
import type { LedgerState, TranslatorProps } from './ledger-now.tsx';

type NetworkProps = TranslatorProps & {
  state: LedgerState | undefined;
  /** A sentence. */
  failure: string | undefined;
  /** Milliseconds: when `state` was read; used in the browser, after a failure. */
  readAt: number;
  testNetwork: boolean;
};

/** The state of the network in four facts, and its problems. */
export function Network({ t, region, state, failure, readAt, testNetwork }: NetworkProps) {
  return (
    <section aria-labelledby="network" className="space-y-5">
      <h2 id="network">{t('network.title')}</h2>
      {testNetwork && (
        <Alert tone="caution" title={t('network.testTitle')}>
          <p>{t('network.test')}</p>
        </Alert>
      )}
      <div role="status" className="space-y-3">
        {state && <Overall t={t} readiness={state.readiness} />}
        {failure && (
          <Alert tone="danger" title={state ? undefined : t('network.unavailable')}>
            {failure} {state && t('network.stale', { time: formatExact(region, readAt, undefined) })}
          </Alert>
        )}
      </div>
      {state && <Facts t={t} region={region} state={state} />}
    </section>
  );
}

function Overall({ t, readiness }: Pick<TranslatorProps, 't'> & { readiness: LedgerState['readiness'] }) {
  const problems = (['database', 'ledger', 'limiter', 'network', 'wallet', 'storage', 'backlog'] as const).filter(
    (part) => !readiness[part].ok,
  );
  if (readiness.status === 'ready') {
    return (
      <p className="flex items-center gap-2.5 text-lg">
        <span aria-hidden className="size-3 rounded-full bg-accent" />
        {t('network.state.ready')}
      </p>
    );
  }
  return (
    <Alert
      tone={readiness.status === 'unavailable' ? 'danger' : 'caution'}
      title={t(`network.state.${readiness.status}`)}
    >
      <ul>
        {problems.map((part) => (
          <li key={part}>{t(`network.problem.${part}`)}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Facts({ t, region, state: { ledger, readiness } }: TranslatorProps & { state: LedgerState }) {
  const { network, wallet, backlog } = readiness;
  const devnet = network.kind === 'devnet';
  const head = ledger?.head.id ? ledger.head : null;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line max-[30rem]:grid-cols-1">
      <Fact name={t('network.storage')} value={t(devnet ? 'network.devnet' : 'network.arweave')}>
        <span className="block">{t(devnet ? 'network.devnetNote' : 'network.arweaveNote')}</span>
        {network.height === null ? t('network.noHeight') : t('network.height', { height: network.height })}
      </Fact>
      <Fact
        name={t('network.head')}
        value={
          head
            ? t('network.headAt', { seq: head.seq, epoch: head.epoch })
            : ledger
              ? t('network.noHead')
              : t('network.unknown')
        }
      >
        {head?.id ? <Identifier value={head.id} what="headId" keep={8} /> : t('network.noHeadNote')}
      </Fact>
      <Backlog t={t} region={region} entries={backlog.entries} oldestSeconds={backlog.oldest_seconds} />
      <Fact
        name={t('network.wallet')}
        value={
          wallet.balance_winston === null
            ? t('network.unknown')
            : t('network.balance', { amount: formatAr(region, wallet.balance_winston) })
        }
      >
        {wallet.address && <Identifier value={wallet.address} what="walletAddress" keep={8} />}
        {devnet && <span className="block">{t('network.testMoney')}</span>}
      </Fact>
    </dl>
  );
}

type BacklogProps = TranslatorProps & { entries: number | null; oldestSeconds: number | null };

function Backlog({ t, region, entries, oldestSeconds }: BacklogProps) {
  if (entries === null) return <Fact name={t('network.backlog')} value={t('network.unknown')} />;
  if (entries === 0) {
    return (
      <Fact name={t('network.backlog')} value={t('network.noBacklog')}>
        {t('network.noBacklogNote')}
      </Fact>
    );
  }
  return (
    <Fact name={t('network.backlog')} value={t('network.backlogCount', { entries })}>
      {oldestSeconds !== null && t('network.oldest', { duration: formatDuration(region, oldestSeconds) })}
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
