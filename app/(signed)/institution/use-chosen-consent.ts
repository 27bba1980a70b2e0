import { useQuery } from '@tanstack/react-query';
import type { Intent } from '../../../protocol/entities/intents.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { useAddress } from '../../_ui/address.ts';

const EVERY_MS = 20_000;

export type Chosen =
  | { readonly state: 'none' | 'loading' | 'gone' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'chosen'; readonly consent: TokenView; readonly isFrozen: boolean };

/** The consent in the address (`?consent=`), if the institution has received it and it has the intent. */
export function useChosenConsent(ieoId: string, intent: Intent) {
  const { search, push } = useAddress();
  const trpc = useTRPC();
  const requested = search.get('consent');
  const { data, error } = useQuery(
    trpc.consent.queryOptions(
      { tokenId: (requested ?? '').slice(0, 100) },
      { enabled: requested !== null, refetchInterval: EVERY_MS },
    ),
  );
  const holder = useQuery(
    trpc.identity.queryOptions(
      { reference: data?.token?.beo_id ?? '' },
      { enabled: data?.token !== undefined, refetchInterval: EVERY_MS },
    ),
  );

  const choose = (id: string | null) => {
    const parameters = new URLSearchParams(search);
    if (id) parameters.set('consent', id);
    else parameters.delete('consent');
    push(`?${parameters}`);
  };

  const chosen = (): Chosen => {
    if (requested === null) return { state: 'none' };
    if (data?.token) {
      const { token } = data;
      const isUsable = token.ieo_id === ieoId && token.status === 'ACTIVE' && token.scope.intents.includes(intent);
      const isFrozen = holder.data?.status === 'LOCKED';
      return isUsable ? { state: 'chosen', consent: token, isFrozen } : { state: 'gone' };
    }
    if (data) return { state: 'gone' };
    if (!error) return { state: 'loading' };
    const failure = failureOf(error);
    return failure.code === 'VALIDATION_FAILED' ? { state: 'gone' } : { state: 'failed', failure };
  };

  return { chosen: chosen(), choose };
}
