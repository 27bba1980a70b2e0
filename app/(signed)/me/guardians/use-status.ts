'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EntrySummary } from '../../../../server/ledger/read.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useTRPC } from '../../../_trpc/provider.tsx';
import { type GuardiansStatus, guardiansStatusOf } from './status.ts';

/** As many as a request may ask for: nobody changes an identity so often. */
const MOST = 200;
const MOVING_MS = 5_000;
const QUIET_MS = 30_000;

/** What the ledger says about the identity of these pages, the newest first; undefined until it has come. */
export function useHistory(): { entries: readonly EntrySummary[] | undefined; failed: boolean } {
  const trpc = useTRPC();
  const { kept } = useHolder();
  const { data, isError } = useQuery(
    trpc.history.queryOptions(
      { entityId: kept.id, limit: MOST },
      {
        refetchInterval: ({ state }) => (state.data?.every(({ status }) => status === 'FINAL') ? QUIET_MS : MOVING_MS),
      },
    ),
  );
  return { entries: data, failed: isError };
}

/** How it stands with the guardians; null while the ledger was not asked whether any of them was ever confirmed. */
export function useGuardiansStatus(eligible: ReadonlySet<string> | null = null): GuardiansStatus | null {
  const { view } = useHolder();
  const { entries, failed } = useHistory();
  return useMemo(() => {
    if (!entries && !failed) return null;
    // What is not known, or lies further back than was read, is taken for confirmed: then fewer count, never more.
    const confirmedBefore =
      entries === undefined || entries.length === MOST || entries.some((entry) => entry.function === 'confirmGuardian');
    return guardiansStatusOf(view.recovery, confirmedBefore, eligible);
  }, [view.recovery, entries, failed, eligible]);
}
