import { useQuery } from '@tanstack/react-query';
import { clockSkew } from '../_trpc/clock.ts';
import { type Failure, failureOf } from '../_trpc/failure.ts';
import { useTRPCClient } from '../_trpc/query-provider.tsx';
import type { VerifiedRequest } from './verify-request.ts';

interface Verified {
  /** Null until it is verified. */
  readonly verified: VerifiedRequest | null;
  readonly failure: Failure | null;
}

/** Verifies a request for a consent in this browser; null for none. The code is loaded with the first request. */
export function useVerifiedRequest(text: string | null): Verified {
  const client = useTRPCClient();
  const { data, error } = useQuery({
    queryKey: ['consentRequest', text],
    queryFn: async () => {
      const { verifyRequest } = await import('./verify-request.ts');
      const ledgerId = document.documentElement.dataset.ledger;
      return verifyRequest(client, text ?? '', { ledgerId, now: Date.now() - clockSkew() });
    },
    enabled: text !== null,
  });
  return { verified: data ?? null, failure: error ? failureOf(error) : null };
}
