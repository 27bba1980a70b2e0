'use client';

import type { ReactNode } from 'react';
import { en } from '../messages/en.ts';
import { sentenceOf } from '../trpc/failure.ts';
import { Alert } from '../ui/alert.tsx';
import { formatAr, formatDuration, formatExact, formatNumber } from '../ui/format.ts';
import { Identifier } from '../ui/identifier.tsx';
import { useBrowser } from '../ui/now.ts';
import { type OverviewData, useOverview } from './overview.tsx';

const text = en.home.network;

/** The state of the network in four facts, and in words whatever is wrong with it. */
export function Network() {
  const { data, failure, readAt } = useOverview();
  const inBrowser = useBrowser();
  const readTime = formatExact(en.locale, readAt, inBrowser ? undefined : 'UTC');
  return (
    <>
      <div role="status" className="space-y-3">
        {data && <Overall readiness={data.readiness} />}
        {failure && (
          <Alert tone="danger" title={data ? undefined : text.unavailable}>
            {sentenceOf(failure)} {data && text.stale(readTime)}
          </Alert>
        )}
      </div>
      {data && <Facts data={data} />}
    </>
  );
}

function Overall({ readiness }: { readiness: OverviewData['readiness'] }) {
  const problems = (['database', 'limiter', 'network', 'wallet', 'backlog'] as const).filter(
    (part) => !readiness[part].ok,
  );
  if (readiness.status === 'ready') {
    return (
      <p className="flex items-center gap-2.5 text-lg">
        <span aria-hidden className="size-3 rounded-full bg-accent" />
        {text.state.ready}
      </p>
    );
  }
  return (
    <Alert tone={readiness.status === 'unavailable' ? 'danger' : 'caution'} title={text.state[readiness.status]}>
      <ul>
        {problems.map((part) => (
          <li key={part}>{text.problem[part]}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Facts({ data: { ledger, readiness } }: { data: OverviewData }) {
  const { network, wallet, backlog } = readiness;
  const devnet = network.kind === 'devnet';
  const head = ledger?.head.id ? ledger.head : null;
  return (
    <dl className="mt-6 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
      <Fact name={text.storage} value={devnet ? text.devnet : text.arweave}>
        <span className="block">{devnet ? text.devnetNote : text.arweaveNote}</span>
        {network.height === null ? text.noHeight : text.height(formatNumber(en.locale, network.height))}
      </Fact>
      <Fact
        name={text.head}
        value={
          head
            ? text.headAt(formatNumber(en.locale, head.seq), formatNumber(en.locale, head.epoch))
            : ledger
              ? text.noHead
              : text.unknown
        }
      >
        {head?.id ? <Identifier value={head.id} name={text.headName} keep={8} /> : text.noHeadNote}
      </Fact>
      <Backlog entries={backlog.entries} oldestSeconds={backlog.oldest_seconds} />
      <Fact
        name={text.wallet}
        value={
          wallet.balance_winston === null ? text.unknown : text.balance(formatAr(en.locale, wallet.balance_winston))
        }
      >
        {wallet.address && <Identifier value={wallet.address} name={text.walletName} keep={8} />}
        {devnet && <span className="block">{text.testMoney}</span>}
      </Fact>
    </dl>
  );
}

function Backlog({ entries, oldestSeconds }: { entries: number | null; oldestSeconds: number | null }) {
  if (entries === null) return <Fact name={text.backlog} value={text.unknown} />;
  if (entries === 0) {
    return (
      <Fact name={text.backlog} value={text.noBacklog}>
        {text.noBacklogNote}
      </Fact>
    );
  }
  return (
    <Fact name={text.backlog} value={text.backlogCount(entries, formatNumber(en.locale, entries))}>
      {oldestSeconds !== null && text.oldest(formatDuration(en.locale, oldestSeconds))}
    </Fact>
  );
}

function Fact({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div className="bg-surface p-5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 text-xl font-bold tabular-nums">{value}</dd>
      <dd className="mt-1 text-sm text-muted">{children}</dd>
    </div>
  );
}
