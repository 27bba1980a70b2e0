'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '../../_trpc/provider.tsx';

const PAUSE_MS = 350;

/** Whether a domain is available, read after a pause in typing. `data` is undefined until then. */
export function useAvailability(domain: string) {
  const trpc = useTRPC();
  const settled = useSettled(domain);
  const query = useQuery(trpc.availability.queryOptions({ domain: settled }, { enabled: settled !== '' }));
  const current = settled === domain;
  return { data: current ? query.data : undefined, error: current ? query.error : null, refetch: query.refetch };
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
