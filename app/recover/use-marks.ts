'use client';

import { useEffect, useState } from 'react';
import { timedFetch } from '../_trpc/clock.ts';
import type { Marked } from '../_ui/certification-mark.tsx';

/** The certification marks of institutions, by domain; read one after the other. */
export function useMarks(domains: readonly string[]): ReadonlyMap<string, Marked> {
  const [marks, setMarks] = useState<ReadonlyMap<string, Marked>>(new Map());
  const names = [...new Set(domains)].join(' ');

  useEffect(() => {
    let cancelled = false;
    const readAll = async () => {
      for (const domain of names.split(' ').filter(Boolean)) {
        if (cancelled) return;
        const mark = await markOf(domain).catch(() => null);
        if (mark && !cancelled) setMarks((before) => new Map(before).set(domain, mark));
      }
    };
    void readAll();
    return () => {
      cancelled = true;
    };
  }, [names]);
  return marks;
}

/** Read without the client of tRPC, which this page does not load. */
async function markOf(reference: string): Promise<Marked | null> {
  const input = encodeURIComponent(JSON.stringify({ reference }));
  const response = await timedFetch(`/api/trpc/institution?input=${input}`);
  if (!response.ok) return null;
  const { result } = (await response.json()) as { readonly result: { readonly data: Marked } };
  return result.data;
}
