'use client';

import { useQueries } from '@tanstack/react-query';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';

type Grantee = Pick<TokenView, 'ieo_id' | 'ieo_domain'>;

/** The names of the institutions that have these consents; their domains until the names are read. */
export function useGranteeNames(consents: readonly Grantee[]): (consent: Grantee) => string {
  const trpc = useTRPC();
  const ids = [...new Set(consents.map(({ ieo_id }) => ieo_id as string))];
  const found = useQueries({
    queries: ids.map((reference) =>
      trpc.institution.queryOptions({ reference }, { staleTime: Number.POSITIVE_INFINITY }),
    ),
  });
  const names = new Map(ids.map((id, index) => [id, found[index]?.data?.display_name]));
  return ({ ieo_id, ieo_domain }) => names.get(ieo_id) ?? ieo_domain ?? ieo_id;
}
