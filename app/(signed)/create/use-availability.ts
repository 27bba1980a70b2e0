'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Availability } from '../../../server/features/read/availability.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';

const PAUSE_MS = 350;

/** A name that was submitted before the scripts ran, checked by the server. */
export interface SubmittedName {
  readonly typed: string;
  readonly domain: string;
  /** Undefined where it could not be read. */
  readonly availability: Availability | undefined;
}

/** Whether a domain is available, read after a pause in typing. `data` is undefined until then. */
export function useAvailability(domain: string, submitted: SubmittedName | null) {
  const trpc = useTRPC();
  const settled = useSettled(domain);
  const query = useQuery(trpc.availability.queryOptions({ domain: settled }, { enabled: settled !== '' }));
  const current = settled === domain;
  const data =
    (current ? query.data : undefined) ?? (domain === submitted?.domain ? submitted.availability : undefined);
  return { data, error: current ? query.error : null, refetch: query.refetch };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
