'use client';

import { useQuery } from '@tanstack/react-query';
import type { Answers } from '../../../../../server/http/trpc/router.ts';
import { useTRPC } from '../../../../_trpc/query-provider.tsx';

const FRESH_MS = 10 * 60_000;

export interface KnownGrantee {
  /** The holder's own consent. */
  readonly own: boolean;
  /** Null for an own consent, and until it is read. */
  readonly institution: Answers['institution'] | null;
}

/** The ids of the holder and the grantee. */
type Parties = Readonly<Record<'beo_id' | 'ieo_id', string>>;

/** The grantee of a consent; batched with the others on the screen, and cached. */
export function useGrantee({ beo_id, ieo_id }: Parties, enabled = true): KnownGrantee {
  const trpc = useTRPC();
  const own = ieo_id === beo_id;
  const { data } = useQuery(
    trpc.institution.queryOptions({ reference: ieo_id }, { enabled: enabled && !own, staleTime: FRESH_MS }),
  );
  return { own, institution: own ? null : (data ?? null) };
}
