import { useQuery } from '@tanstack/react-query';
import { untilRead } from '../../_keys/read.ts';
import type { UnfinishedSubmission } from '../../_keys/unfinished-submissions.ts';

export const unfinishedKey = (ieoId: string) => ['unfinishedSubmissions', ieoId];

const NONE: readonly UnfinishedSubmission[] = [];

/** The submissions of which something is left to do; empty until they are read. */
export function useUnfinishedList(ieoId: string): readonly UnfinishedSubmission[] {
  const { data } = useQuery({
    queryKey: unfinishedKey(ieoId),
    async queryFn({ signal }) {
      const { unfinishedSubmissions } = await import('../../_keys/unfinished-submissions.ts');
      return untilRead(() => unfinishedSubmissions(ieoId), signal);
    },
  });
  return data ?? NONE;
}
