'use client';

import { useQuery } from '@tanstack/react-query';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { useTRPC } from './provider.tsx';

/** The name that an institution gives itself, and whether it is certified; its domain until that is known, and where it has none any more. */
export function InstitutionName({ id, domain }: { id: string; domain: string | null }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.institution.queryOptions({ reference: id }, { staleTime: Number.POSITIVE_INFINITY, retry: false }),
  );
  return (
    <>
      {data?.display_name ?? domain ?? id} {data && <CertificationMark institution={data} />}
    </>
  );
}
