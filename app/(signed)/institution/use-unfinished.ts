import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { untilRead } from '../../_keys/read.ts';
import {
  changeUnfinished,
  type UnfinishedSubmission,
  unfinishedSubmissions,
  withSubmission,
} from '../../_keys/unfinished-submissions.ts';

/** The submissions of which something is left to do, and how to change them. Empty until they are read. */
export function useUnfinished(ieoId: string) {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['unfinishedSubmissions', ieoId],
    queryFn: ({ signal }) => untilRead(() => unfinishedSubmissions(ieoId), signal),
  });
  const change = useCallback(
    async (changed: Parameters<typeof changeUnfinished>[1]) => {
      await changeUnfinished(ieoId, changed);
      await queries.invalidateQueries({ queryKey: ['unfinishedSubmissions', ieoId] });
    },
    [ieoId, queries],
  );
  const keep = useCallback(
    (submission: UnfinishedSubmission) => change((kept) => withSubmission(kept, submission)),
    [change],
  );
  const dismiss = useCallback((id: string) => change((kept) => kept.filter((one) => one.id !== id)), [change]);
  return { unfinished: data ?? [], keep, dismiss };
}
