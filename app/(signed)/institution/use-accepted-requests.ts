import { useQuery } from '@tanstack/react-query';
import { DAY_MS } from '../../../protocol/day-ms.ts';
import { useSession } from '../../_session/session.tsx';
import { useSignedBody } from '../../_session/write.tsx';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { useReferences } from './references.ts';

/** A consent that was given on a request of the institution. */
export interface AcceptedRequest {
  readonly beoId: string;
  readonly reference: string;
  /** ISO 8601. */
  readonly at: string;
}

const PAGE = 1_000;
const MAX_PAGES = 20;
/** The longest time for which a request is valid. */
const SINCE_MS = 90 * DAY_MS;
const NONE: readonly AcceptedRequest[] = [];

/**
 * The requests that people accepted, by the institution's references, newest first; empty until its key is open. Each reference becomes
 * the local one of a person who has none.
 * @param newest changes with each new consent
 */
export function useAcceptedRequests(ieoId: string, newest: string | undefined): readonly AcceptedRequest[] {
  const { isOpen } = useSession();
  const signedBody = useSignedBody();
  const client = useTRPCClient();
  const { references, isRead, keep } = useReferences(ieoId);
  const { data } = useQuery({
    queryKey: ['acceptedRequests', ieoId, newest],
    queryFn: async () => {
      const accepted: AcceptedRequest[] = [];
      const since = new Date(Date.now() - SINCE_MS).toISOString();
      let after: string | null = null;
      for (let page = 0; page < MAX_PAGES; page++) {
        const body = await signedBody('readEvents', { ieoId });
        if (!body) break;
        const read = await client.events.mutate({ body, after, since, limit: PAGE });
        for (const { type, at, data } of read.events)
          if (type === 'consent.granted' && data.reference !== undefined)
            accepted.push({ beoId: data.beo_id, reference: data.reference, at });
        after = read.next_cursor;
        if (!read.has_more) break;
      }
      for (const { beoId, reference } of accepted) if (!references.has(beoId)) await keep(beoId, reference);
      return accepted.toReversed();
    },
    enabled: isOpen && isRead && newest !== undefined,
    placeholderData: (before) => before,
  });
  return data ?? NONE;
}
