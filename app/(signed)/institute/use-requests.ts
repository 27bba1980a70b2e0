import { useInfiniteQuery } from '@tanstack/react-query';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { useInstituteKey } from './institute-key.tsx';

/** What an institution asks the institute for. */
export interface OpenRequest extends Readonly<Answers['certificationRequests']['requests'][number]> {
  /** Whether this browser found it signed with the institution's key. */
  readonly isSigned: boolean;
}

const POLL_MS = 30_000;

/** The open requests, read with the key that is held. */
export function useRequests() {
  const client = useTRPCClient();
  const { key, approver } = useInstituteKey();
  const context = { instituteKey: key ?? '' };
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // Not the key itself, which is kept nowhere but in its place.
    queryKey: ['certification-requests', approver],
    queryFn: async ({ pageParam }) => {
      const [{ requests, next_cursor }, { isSigned }] = await Promise.all([
        client.certificationRequests.mutate({ limit: MAX_PAGE_SIZE, cursor: pageParam }, { context }),
        import('./request-signature.ts'),
      ]);
      return {
        next_cursor,
        requests: requests.map((request): OpenRequest => ({ ...request, isSigned: isSigned(request) })),
      };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
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
    requests: data?.pages.flatMap(({ requests }) => requests) ?? null,
    /** Reads the next page; null where there is none. */
    more: hasNextPage ? () => void fetchNextPage() : null,
    isReadingMore: isFetchingNextPage,
    failure: error && !data ? failureOf(error) : null,
    decline,
  };
}
