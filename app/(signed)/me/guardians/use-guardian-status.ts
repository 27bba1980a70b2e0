'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EntrySummary } from '../../../../server/ledger/read.ts';
import { useHolder } from '../../../_session/current.tsx';
import { useTRPC } from '../../../_trpc/query-provider.tsx';
import { type GuardiansStatus, guardiansStatusOf } from './status.ts';

/** The page size limit; an identity rarely has more entries. */
const PAGE_SIZE = 200;
const PENDING_POLL_MS = 5_000;
const FINAL_POLL_MS = 30_000;

/** The entries of the current identity, the newest first; undefined until they are read. */
export function useHistory(): { entries: readonly EntrySummary[] | undefined; failed: boolean } {
  const trpc = useTRPC();
  const { kept } = useHolder();
  const { data, isError } = useQuery(
    trpc.history.queryOptions(
      { entityId: kept.id, limit: PAGE_SIZE },
      {
        refetchInterval: ({ state }) =>
          state.data?.every(({ status }) => status === 'FINAL') ? FINAL_POLL_MS : PENDING_POLL_MS,
      },
    ),
  );
  return { entries: data, failed: isError };
}

/** The status of the guardians; null until it is known whether any of them was ever confirmed. */
export function useGuardiansStatus(eligible: ReadonlySet<string> | null = null): GuardiansStatus | null {
  const { view } = useHolder();
  const { entries, failed } = useHistory();
  return useMemo(() => {
    if (!entries && !failed) return null;
    // Unread entries are assumed to contain a confirmation: that shows fewer eligible guardians, never more.
    const confirmedBefore =
      entries === undefined ||
      entries.length === PAGE_SIZE ||
      entries.some((entry) => entry.function === 'confirmGuardian');
    return guardiansStatusOf(view.recovery, confirmedBefore, eligible);
  }, [view.recovery, entries, failed, eligible]);
}
