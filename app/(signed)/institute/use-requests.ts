import { useQuery } from '@tanstack/react-query';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { useInstituteKey } from './institute-key.tsx';

/** What an institution asks the institute for. */
export type OpenRequest = Answers['certificationRequests']['requests'][number];

const POLL_MS = 30_000;

/** The open requests, read with the key that is held. */
export function useRequests() {
  const client = useTRPCClient();
  const { key, approver } = useInstituteKey();
  const context = { instituteKey: key ?? '' };
  const { data, error, refetch } = useQuery({
    // Not the key itself, which is kept nowhere but in its place.
    queryKey: ['certification-requests', approver],
    queryFn: () => client.certificationRequests.mutate({ limit: MAX_PAGE_SIZE }, { context }),
    enabled: key !== null,
    refetchInterval: POLL_MS,
  });

  /** Null if it was declined. */
  const decline = async (
    { institution, requested_at: requestedAt }: OpenRequest,
    reason: string,
  ): Promise<Failure | null> => {
    try {
      await client.declineRequest.mutate({ body: { ieoId: institution.ieo_id, requestedAt, reason } }, { context });
      await refetch();
      return null;
    } catch (problem) {
      await refetch();
      return failureOf(problem);
    }
  };

  return {
    requests: data?.requests ?? null,
    more: data?.next_cursor != null,
    failure: error && !data ? failureOf(error) : null,
    decline,
  };
}
