'use client';

import { useQuery } from '@tanstack/react-query';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { useTRPC } from './query-provider.tsx';

const FRESH_MS = 10 * 60_000;

/** The certification mark of an institution by its id or domain; empty until it is read. */
export function CertificationMarkOf({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.institution.queryOptions({ reference: id }, { staleTime: FRESH_MS, retry: false }));
  return data ? <CertificationMark institution={data} /> : null;
}
