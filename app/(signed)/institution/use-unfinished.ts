import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { UNREADABLE, untilRead } from '../../_keys/read.ts';
import {
  changeUnfinished,
  type UnfinishedSubmission,
  unfinishedSubmissions,
  withSubmission,
} from '../../_keys/unfinished-submissions.ts';

/** The submissions of which something is left to do, and how to change them. Empty until they are read. */
export function useUnfinished(ieoId: string) {
  const queries = useQueryClient();
  const [isRefused, setRefused] = useState(false);
  const { data } = useQuery({
    queryKey: ['unfinishedSubmissions', ieoId],
    queryFn: ({ signal }) => untilRead(() => unfinishedSubmissions(ieoId), signal),
  });
  const change = useCallback(
    async (changed: Parameters<typeof changeUnfinished>[1]) => {
      const after = await changeUnfinished(ieoId, changed).catch(() => UNREADABLE);
      setRefused(after.state === 'unreadable');
      if (after.state === 'read') queries.setQueryData(['unfinishedSubmissions', ieoId], after.value);
    },
    [ieoId, queries],
  );
  const keep = useCallback(
    (submission: UnfinishedSubmission, accepted: readonly string[] = []) =>
      change((kept) => withSubmission(kept, submission, accepted)),
    [change],
  );
  const dismiss = useCallback((id: string) => change((kept) => kept.filter((one) => one.id !== id)), [change]);
  /** `isRefused`: whether this browser could not store the last change. */
  return { unfinished: data ?? [], isRefused, keep, dismiss };
}
