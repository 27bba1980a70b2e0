'use client';

import type { ReactNode } from 'react';
import type { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import type { Settled } from '../_trpc/settled.ts';
import { useLoaded } from '../_ui/use-loaded.ts';

export type LedgerState = Answers['overview'];

/** What a part is written with, on the server and in the browser. `region`: the locale of its numbers. */
export type TranslatorProps = { t: ReturnType<typeof useTranslations<'explore'>>; region: string };

export type LedgerNowProps = { first: Settled<LedgerState>; renderedAt: string; testNetwork: boolean };

const loadLive = async () => (await import('./ledger-live.tsx')).LedgerLive;

/** The ledger in numbers and the state of the network: `children`, which the server rendered, until what polls them is loaded. */
export function LedgerNow({ children, ...props }: LedgerNowProps & { children: ReactNode }) {
  const Live = useLoaded(loadLive);
  return (
    <div className="page grid gap-x-16 gap-y-10 pb-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      {Live ? <Live {...props} /> : children}
    </div>
  );
}
